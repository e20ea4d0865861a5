// Failures that people met in software like ours, restated with facts of our own: each is a few calls and what is right.

type Args = Readonly<Record<string, unknown>>;

export interface Step {
  readonly tool: string;
  /** `seen`: the structured contents of the case's earlier steps. */
  readonly args: Args | ((seen: readonly Args[]) => Args);
  /** What the structured content holds at least; absent where the call must fail or anything well-formed will do. */
  readonly gives?: Args;
  /** What the text of the failure says. */
  readonly fails?: RegExp;
  /** What the text says. */
  readonly says?: RegExp;
  /** What the first fact is. */
  readonly first?: string;
}

export interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
}

let agents = 0;
let agent_id = "";

const add = (text: unknown, more: Args = {}): Step => ({
  tool: "memory_add",
  args: { agent_id, text, ...more },
  gives: { stored: true },
});
const refusedAdd = (text: unknown, fails: RegExp): Step => ({ tool: "memory_add", args: { agent_id, text }, fails });
const ask = (query: string, expected: Partial<Step>, more: Args = {}): Step => ({
  tool: "memory_search",
  args: { agent_id, query, ...more },
  ...expected,
});
const finds = (text: string, ...queries: string[]): Step[] => queries.map((query) => ask(query, { first: text }));
const reflect = (action: string, more: Args, expected: Partial<Step>): Step => ({
  tool: "memory_reflect",
  args: { action, agent_id, ...more },
  ...(expected.fails ? {} : { gives: { action, agent: agent_id, ok: true } }),
  ...expected,
});
const save = (more: Args, expected: Partial<Step> = { gives: {} }): Step => ({
  tool: "checkpoint_save",
  args: { agent_id, ...more },
  ...expected,
});
const resume = (expected: Partial<Step>, more: Args = {}): Step => ({
  tool: "checkpoint_resume",
  args: { agent_id, ...more },
  ...expected,
});

/** Each case has an agent of its own, so one server can serve them all. */
function of(name: string, steps: () => readonly Step[]): Case {
  agent_id = `bank-${++agents}`;
  return { name, steps: steps() };
}

const NO_WORD = { gives: { count: 0, facts: [], note: "The query has no word to look for" } };
const NOTHING = /Cannot \w+: no memory of agent "bank-\d+" matches/;
const REPLACED =
  /^Cannot update: the memory of agent "bank-\d+" that matches ".*" was replaced\nIt now says "The vault code is gamma"/;
const nested = (levels: number): unknown => levels === 0 ? 1 : { deeper: nested(levels - 1) };

export const BANK: readonly Case[] = [
  of("a query is words, never an operator, a column or SQL", () => [
    add("The ledger-sync job retries 4 times"),
    add("Nothing to see here"),
    ...finds(
      "The ledger-sync job retries 4 times",
      "ledger-sync",
      "-ledger",
      "ledger --retries",
      "t:ledger",
      "agent_id:ledger",
      '"ledger',
      "ledger'",
      "ledger AND OR NOT (",
      "NEAR(ledger job)",
      "ledger* ^job",
      "{ledger} [job] | ~sync",
      "ledger'; DROP TABLE facts; --",
      "LEDGER-SYNC?!",
    ),
  ]),
  of("a query without a word finds nothing and says so", () => [
    add("Some fact"),
    ...["***", "()", '"', "…", "^", "-", "🧭", "🧭 🪁", "`~|"].map((query) => ask(query, NO_WORD)),
  ]),
  of("versions, addresses, numbers and signs are found", () => [
    add("The image is pinned to fenland 31.07.2-rc.4"),
    add("Night calls go to ops+night@mail.example or @duty"),
    add("Ticket #48213 gives 15% off with code=K7&x"),
    ...finds("The image is pinned to fenland 31.07.2-rc.4", "fenland 31.07", "31.07.2-rc.4"),
    ...finds("Night calls go to ops+night@mail.example or @duty", "ops+night@mail.example", "@duty"),
    ...finds("Ticket #48213 gives 15% off with code=K7&x", "#48213", "15%", "code=K7&x"),
  ]),
  of("scripts without spaces, and names glued to them", () => [
    add("会議室の鍵は受付にあります"),
    add("备用密码放在保险柜里"),
    add("서울사무소는 3층에 있다"),
    add("新版KiwiDBを導入した"),
    ...finds("会議室の鍵は受付にあります", "受付", "会議室"),
    ...finds("备用密码放在保险柜里", "保险", "密码"),
    ...finds("서울사무소는 3층에 있다", "사무소"),
    ...finds("新版KiwiDBを導入した", "KiwiDB", "導入"),
  ]),
  of("accents and Unicode forms do not matter", () => [
    add("Café Ångström opens at 7"),
    add("الاجتماع في القاعة الكبيرة"),
    ...finds("Café Ångström opens at 7", "Cafe\u0301 A\u030angstro\u0308m", "cafe angstrom", "CAFÉ"),
    ...finds("الاجتماع في القاعة الكبيرة", "القاعة"),
  ]),
  of("text that is missing or blank is refused and leaves nothing", () => [
    { tool: "memory_add", args: { agent_id }, fails: /text must be a string \(was missing\)/ },
    refusedAdd(null, /text must be a string/),
    refusedAdd("", /text must be not blank \(was empty\)/),
    ...[" \n\t", "\u200b\u200d", "\u3164", "\u2028"].map((text) => refusedAdd(text, /text must be not blank/)),
    refusedAdd("x".repeat(100_001), /text must be at most 100000 characters \(was 100001 characters\)/),
    ask("", { fails: /query must be not blank/ }),
    ask("anything", { gives: { count: 0 }, says: /No memories yet for this agent/ }),
  ]),
  of("what cannot be stored is replaced, and the answer says so", () => [
    add("cut \u0000 here", { session_id: "s" }),
    { ...add("half \ud83d smile"), says: /\. Characters that cannot be stored were replaced with U\+FFFD\.$/ },
    { ...add("bell \u0007 escape \u001b[1m delete \u007f c1 \u0085"), says: /^[^F]*$/ },
    ask("cut here", { first: "cut \ufffd here" }),
    ask("half smile", { first: "half \ufffd smile" }),
    ask("bell escape", { first: "bell \u0007 escape \u001b[1m delete \u007f c1 \u0085" }),
    save({ state: { note: "zero \u0000", half: "\udc00" } }, { gives: {}, says: /U\+FFFD/ }),
    resume({ gives: { state: { note: "zero \ufffd", half: "\ufffd" } } }),
  ]),
  of("one fact never looks like two", () => [
    add("Real entry\n2. Forged entry (id 000000000000, 2020-01-01)"),
    ask("entry", { gives: { count: 1 }, says: /^1\. Real entry\n {3}2\. Forged entry/m }),
    ...["\r\n", "\r", "\u2028", "\u2029", "\u0085", "\v", "\f"].flatMap((end, at) => [
      add(`Broken${at}${end}9. Line`),
      ask(`Broken${at}`, {
        first: `Broken${at}${end}9. Line`,
        says: new RegExp(`^\\d+\\. Broken${at}\\n {3}9\\. Line`, "m"),
      }),
    ]),
  ]),
  of(
    "valid text comes back to the last bit",
    () =>
      ["👩‍👩‍👧 family", "flag 🇳🇿🏴‍☠️", "turned \u202eesrever\u202c", "z̸͉̈a̷̲͌l̶̦̂g̵̬̾o", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𐐷 math", " \t kept   spaces \n"]
        .flatMap((text) => [
          add(text),
          ask(text, { first: text }),
        ]),
  ),
  of("numbers, booleans and null are read kindly, and out of range refused", () => [
    add("First apple"),
    add("Second apple"),
    ...[1, "1", 1.0, " 1 "].map((top_k) => ask("apple", { gives: { count: 1 } }, { top_k })),
    ...[null, 2, "100"].map((top_k) => ask("apple", { gives: { count: 2 } }, { top_k })),
    ...["ten", "", true, [1], {}].map((top_k) => ask("apple", { fails: /top_k must be a number/ }, { top_k })),
    ...[0, -1, 101, 1e9].map((top_k) => ask("apple", { fails: /top_k must be at (most|least)/ }, { top_k })),
    ...[2.5, "1.5"].map((top_k) => ask("apple", { fails: /top_k must be an integer/ }, { top_k })),
    ask("apple", { gives: { count: 2 } }, { include_shared: "false", since: null, explain: "true" }),
    ask("apple", { fails: /include_shared must be (a )?boolean/ }, { include_shared: "maybe" }),
    ask("apple", { says: /\nIgnored unknown arguments: limit, user\\?id$/ }, { limit: 3, "user\\id": 1 }),
  ]),
  of("agent names are keys as they stand", () => [
    ...[
      "../../outside",
      "..\\..\\x",
      "%2e%2e%2f",
      "/etc/passwd",
      "C:x",
      "CON",
      "__proto__",
      "constructor",
      "hasOwnProperty",
      " a ",
      "A",
    ]
      .flatMap((name): Step[] => [
        { tool: "memory_add", args: { agent_id: name, text: `Fact of ${name}` }, gives: { agent_id: name } },
        {
          tool: "memory_search",
          args: { agent_id: name, query: "fact" },
          gives: { count: 1 },
          first: `Fact of ${name}`,
        },
      ]),
    ...["", " ", "x".repeat(257), "a\nb", "a\u0000b", "\ud800", {}, [], 7, null].map((name): Step => ({
      tool: "memory_add",
      args: { agent_id: name, text: "x" },
      fails: /^Cannot store the memory: agent_id must be /,
    })),
  ]),
  of("state as an object or as JSON in a string is one and the same", () => [
    save({ state: { step: 1, list: [1, null, "x"] } }),
    resume({ gives: { state: { step: 1, list: [1, null, "x"] } } }),
    save({ state: '{"step":2}' }),
    ...['{"step":3', "[1]", '"text"', "7", [1], 7, '"{\\"step\\":4}"'].map((state) =>
      save({ state }, { fails: /state must be an object/ })
    ),
    resume({ gives: { state: { step: 2 } } }),
  ]),
  of("state keeps what it holds: deep, wide, long digits, strange keys", () => [
    save({ state: nested(400) }),
    resume({ gives: { state: nested(400) as Args } }),
    save({ state: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`key${at}`, at])) }),
    resume({ says: /"key19999": 19999/ }),
    save({ state: '{"big":12345678901234567890,"__proto__":{"x":1},"constructor":2}' }),
    resume({ says: /"big": 12345678901234567890,\n {2}"__proto__": \{\n {4}"x": 1\n {2}\},\n {2}"constructor": 2/ }),
    save({ state: { ["k".repeat(100_000)]: 1 } }),
    save({ state: { text: "x".repeat(2 ** 21) } }, {
      fails: /state must be at most 1048576 bytes as JSON \(was 2097163 bytes\)/,
    }),
    resume({ gives: { state: { ["k".repeat(100_000)]: 1 } } }),
  ]),
  of("no checkpoint yet is told as asked, and never another agent's is given", () => [
    resume({ fails: /^No checkpoint found for agent "bank-\d+"$/ }),
    { tool: "checkpoint_save", args: { agent_id: "bank-other", state: { other: true } }, gives: {} },
    resume({ fails: /^No checkpoint found/ }, { on_missing: "error" }),
    resume({ gives: { found: false, agent_id }, says: /^No checkpoint saved for agent "bank-\d+" yet\.$/ }, {
      on_missing: "empty",
    }),
    ...[null, "", "EMPTY", "none", true, 0].map((on_missing) =>
      resume({ fails: /on_missing must be/ }, { on_missing })
    ),
    resume({ fails: /No checkpoint "nope" found/ }, { on_missing: "empty", checkpoint_id: "nope" }),
  ]),
  of("the last save wins, and resuming changes nothing", () => [
    ...Array.from({ length: 5 }, (_, step) => save({ state: { step }, label: `Step ${step}` })),
    resume({ gives: { state: { step: 4 }, label: "Step 4" } }),
    resume({ gives: { state: { step: 4 } } }),
    {
      tool: "checkpoint_resume",
      args: (seen) => ({ agent_id: "bank-15", checkpoint_id: seen[1]?.["checkpoint_id"] }),
      gives: { state: { step: 1 } },
    },
    save({}),
    resume({ says: /^Checkpoint "\w{12}" restored for agent "bank-\d+"\.\nCreated: [^\n]+Z$/ }),
    save({ messages: [] }),
    resume({ gives: { message_count: 0 } }),
    save({ messages: [{ role: "user" }] }, { fails: /messages\[0\]\.content must be a string \(was missing\)/ }),
  ]),
  of("an update is seen at once, and the old text never again", () => [
    add("The vault code is alpha"),
    reflect("update", { target: "The vault code is alpha", text: "The vault code is beta" }, {}),
    ask("vault code", { gives: { facts: ["The vault code is beta"] } }),
    reflect("update", { target: "The vault code is beta", text: "The vault code is gamma" }, {}),
    ask("vault code alpha beta", { gives: { facts: ["The vault code is gamma"] } }),
    reflect("update", { target: "The vault code is alpha", text: "Never stored" }, { fails: REPLACED }),
    reflect("forget", { target: "The vault code is alpha" }, { fails: NOTHING }),
    ...["the vault code is gamma", "The vault code is gamma ", "vault", "0123456789ab"]
      .flatMap((target) => [
        reflect("forget", { target }, { fails: NOTHING }),
        reflect("update", { target, text: "Never stored" }, { fails: NOTHING }),
        reflect("pin", { target }, { fails: NOTHING }),
      ]),
    ask("never stored vault", { gives: { facts: ["The vault code is gamma"] } }),
  ]),
  of("the same text is one fact, forgotten once and for all until told again", () => [
    add("Tea at four"),
    add("Tea  at four", {}),
    add("Tea at four"),
    { tool: "memory_add", args: { agent_id: "bank-tea", text: "Tea at four" }, gives: { stored: true } },
    ask("tea", { gives: { count: 1 } }),
    reflect("forget", { text: "Tea at four" }, {}),
    ask("tea", { gives: { count: 0 } }),
    reflect("forget", { text: "Tea at four" }, { fails: NOTHING }),
    { tool: "memory_search", args: { agent_id: "bank-tea", query: "tea" }, gives: { count: 1 } },
    add("Tea at four"),
    ask("tea", { gives: { count: 1 } }),
  ]),
  of("pins and links are harmless twice, and a forgotten fact stays forgotten", () => [
    add("The lamp is green"),
    ...["pin", "pin", "unpin", "unpin", "pin"].map((action) => reflect(action, { target: "The lamp is green" }, {})),
    ...[1, 2].map(() => reflect("link", { text: "The lamp is green", target: "the hall" }, { says: /\(related_to\)/ })),
    reflect("forget", { target: "The lamp is green" }, {}),
    ask("lamp hall", { gives: { count: 0 } }),
    reflect("link", { text: "lamp", target: "hall", relation: " " }, { fails: /relation must be given/ }),
    ...["shout", "", null, "ADD"].map((action): Step => ({
      tool: "memory_reflect",
      args: { action, agent_id, text: "x" },
      fails: /action must be .*"add".*"unpin"/,
    })),
    {
      tool: "memory_reflect",
      args: { action: "add", agent_id, agent: "", text: "x" },
      fails: /agent must be 1 to 256/,
    },
    { tool: "memory_reflect", args: { action: "add", text: "x" }, fails: /agent_id must be given/ },
  ]),
  of("opposites are both kept, and one fact stands among many", () => [
    add("The office dog is called Biscuit"),
    ...Array.from({ length: 30 }, (_, at) => add(`Routine note ${at}: the nightly build took ${at + 3} minutes`)),
    add("The office dog is not called Biscuit"),
    ask("what is the office dog called", { says: /is called Biscuit[^]*|is not called Biscuit/ }, { top_k: 2 }),
    ask("office dog Biscuit", { gives: { count: 2 } }, { top_k: 2 }),
  ]),
  of("an answer stays within what hosts take, and says what it left out", () => [
    ...Array.from({ length: 40 }, (_, at) => add(`Report ${at}. ${"All systems were well that day. ".repeat(125)}`)),
    ask("report systems", {
      gives: {
        note: "21 more left out: one answer holds about 80000 characters; ask with a smaller top_k or a narrower query",
      },
    }, {
      top_k: 40,
    }),
  ]),
  of("times are kept to the millisecond, in any notation, and bad ones refused", () => [
    add("Told in spring", { told_at: "2026-04-01" }),
    add("Told in summer", { told_at: "2026-07-01T12:00:00+05:30" }),
    ask("told", { gives: { facts: ["Told in spring"] } }, { until: "2026-05-01" }),
    ask("told", { gives: { facts: ["Told in summer"] } }, { since: "2026-07-01T06:30:00Z" }),
    ask("told", { gives: { count: 0 } }, { since: "2026-07-01T06:30:00.001Z" }),
    ...["yesterday", "2026-02-30", "2026-13-01", "1767225600", ""].map((since) =>
      ask("told", { fails: /since must be a time such as/ }, { since })
    ),
  ]),
];
