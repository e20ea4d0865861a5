// Credentials found, and what only looks like one left alone.
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { redact, redactValue } from "../../src/core/secrets.ts";

/** Put together at run time, so that no scanner takes this file for a leak. */
const of = (...parts: readonly string[]) => parts.join("");
const letters = (length: number, from = "aB3dE6gH9jK2mN5pQ8rS") => from.repeat(40).slice(0, length);
const hex = (length: number) => "0123456789abcdef".repeat(20).slice(0, length);

const HITS: readonly (readonly [name: string, secret: string, around?: (secret: string) => string])[] = [
  ["private key", of("-----BEGIN RSA PRIVATE ", "KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE ", "KEY-----")],
  ["private key", of("-----BEGIN OPENSSH PRIVATE ", "KEY-----\nb3BlbnNz"), (secret) => `cut off: ${secret}`],
  ["GitHub token", of("ghp", "_", letters(36))],
  ["GitHub token", of("github", "_pat_", letters(22), "_", letters(59))],
  ["GitLab token", of("glp", "at-", letters(20))],
  ["Anthropic key", of("sk-", "ant-api03-", letters(40))],
  ["OpenAI key", of("sk-", "proj-", letters(48))],
  ["OpenAI key", of("sk-", letters(48))],
  ["AWS access key", of("AK", "IA", "IOSFODNN7EXAMPL2".replace(/[0189]/g, "Q"))],
  ["Google key", of("AI", "za", letters(35))],
  ["Google token", of("ya", "29.", letters(60))],
  ["Slack token", of("xo", "xb-123456789012-", letters(24))],
  ["Slack webhook", of("https://hooks.slack", ".com/services/T0000/B0000/", letters(24))],
  ["Stripe key", of("sk_", "live_", letters(24))],
  ["npm token", of("npm", "_", letters(36))],
  ["PyPI token", of("pypi-", "AgE", letters(60))],
  ["Hugging Face token", of("hf", "_", letters(34))],
  ["SendGrid key", of("SG", ".", letters(22), ".", letters(43))],
  ["DigitalOcean token", of("dop", "_v1_", hex(64))],
  ["Telegram bot token", of("123456789", ":AA", letters(33))],
  ["age key", of("AGE-SECRET-", "KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2).slice(0, 58))],
  ["JSON web token", of("ey", "J", letters(20), ".ey", "J", letters(40), ".", letters(43))],
  ["bearer token", letters(40), (secret) => `curl -H "Authorization: Bearer ${secret}"`],
  ["password in a URL", "s3cr3tpw", (secret) => `postgres://app:${secret}@db.internal:5432/app`],
  ["password", "hunter2!", (secret) => `The staging password is ${secret} for now`],
  ["password", "Tr0ub4dor&3", (secret) => `DB password: "${secret}"`],
  ["secret", letters(32), (secret) => `API_KEY=${secret}`],
  ["secret", letters(40), (secret) => `aws_secret_access_key = ${secret}`],
  ["secret", letters(24), (secret) => `{"client_secret": "${secret}"}`],
  ["secret", hex(40).split("").reverse().join(""), (secret) => `The deploy token is ${secret}`],
];

describe("redact replaces", () => {
  for (const [at, [name, secret, around = (one: string) => `before ${one} after`]] of HITS.entries()) {
    test(`a ${name} (${at})`, () => {
      const text = around(secret);
      const { text: left, found } = redact(text);
      assertEquals(found, [name], left);
      assertEquals(left, text.replace(secret, `[${name} removed]`));
      assertEquals(redact(left), { text: left, found: [] }, "what is redacted is left alone");
    });
  }
});

const LOOK_ALIKES: readonly string[] = [
  "Commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixed the login",
  "The request id was 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
  "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  '"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="',
  '"resolved": "https://registry.example.com/left-pad/-/left-pad-1.3.0.tgz"',
  "The password is stored in the vault under app/db",
  "password: ${DB_PASSWORD}",
  "password = process.env.DB_PASSWORD",
  "PASSWORD=<your password>",
  "Passwords must have at least 12 characters",
  "The token is refreshed every 15 minutes by the gateway",
  "token: string; apiKey: string",
  "API_KEY=your-api-key-goes-here-123",
  "secret: process.env.CLIENT_SECRET_2024_PRODUCTION",
  "Use postgres://user:${PASSWORD}@host/db",
  "The primary key is user_id; the sort key is created_at",
  "sk-learn-based-pipelines-are-fine-here",
  "Bearer tokens are sent in the Authorization header of every request",
  "basic understanding of the authentication middleware",
  "The keyboard shortcut is ctrl-shift-p",
  "Token bucket: 100 requests per minute",
  "Read https://example.com/docs/token-authentication-v2-overview",
  "import { token_from_environment_variable } from './auth'",
  "npm_config_registry and npm_package_version are set by npm",
  "npm install github:team/repository#semver:^1.2.3",
  "The public key is in ~/.ssh/id_ed25519.pub",
  "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----",
  "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
  "eyJhbGciOiJIUzI1NiJ9 is the header of a JWT",
  "Meeting at 12:30, room 4711:AA",
  "ssh://git@example.com:22/team/app.git",
  "password: ********",
];

test("redact leaves look-alikes alone", () => {
  assertEquals(LOOK_ALIKES.filter((text) => redact(text).text !== text), []);
});

test("redact is quick on long text of any kind", () => {
  for (const piece of ["a", "password is ", "sk-", "eyJ", "://a:", "-----BEGIN ", "token=", "a_-"]) {
    const text = piece.repeat(100_000 / piece.length);
    const start = performance.now();
    redact(text);
    assert(performance.now() - start < 1000, `${piece}: ${performance.now() - start} ms`);
  }
});

test("redactValue walks a value, and a key tells about what it names", () => {
  const token = of("ghp", "_", letters(36));
  const given = {
    goal: "x",
    list: [{ note: `use ${token}` }],
    db: { password: "Tr0ub4dor&3", port: 5432 },
    none: null,
  };
  const { value, found } = redactValue(given);
  assertEquals(found, ["GitHub token", "password"]);
  assertEquals(value, {
    goal: "x",
    list: [{ note: "use [GitHub token removed]" }],
    db: { password: "[password removed]", port: 5432 },
    none: null,
  });
});
