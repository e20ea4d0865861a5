// Times as people and models write them, and as we answer.
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { formatDate, formatTime, parseTime } from "../../src/core/time.ts";

const GOOD: Readonly<Record<string, string>> = {
  "2026-12-01": "2026-12-01T00:00:00.000Z",
  " 2026-12-01 ": "2026-12-01T00:00:00.000Z",
  "2024-02-29": "2024-02-29T00:00:00.000Z",
  "2026-12-01T02:03:04.567Z": "2026-12-01T02:03:04.567Z",
  "2026-12-01T02:03:04Z": "2026-12-01T02:03:04.000Z",
  "2026-12-01t02:03:04z": "2026-12-01T02:03:04.000Z",
  "2026-12-01 02:03": "2026-12-01T02:03:00.000Z",
  "2026-12-01T02:03:04": "2026-12-01T02:03:04.000Z",
  "2026-12-01T02:03:04.5": "2026-12-01T02:03:04.500Z",
  "2026-12-01T02:03:04.123456789Z": "2026-12-01T02:03:04.123Z",
  "2026-12-01T02:03:04+05:30": "2026-11-30T20:33:04.000Z",
  "2026-12-01T02:03:04-0800": "2026-12-01T10:03:04.000Z",
  "2026-12-31T23:30:00-01:00": "2027-01-01T00:30:00.000Z",
};

for (const [text, time] of Object.entries(GOOD)) {
  test(`parseTime reads ${JSON.stringify(text)}`, () => {
    const ms = parseTime(text);
    assertEquals(ms === undefined ? undefined : formatTime(ms), time);
  });
}

const BAD =
  `2026-02-30|2025-02-29|2026-02-30T00:00:00Z|2026-04-31T10:00|2026-13-01|2026-00-10|2026-01-00|2026-1-1|26-01-01|
  2026-12-01T25:00:00Z|2026-12-01T10:60:00Z|2026-12-01T10:00:61Z|2026-12-01T10|2026-12-01T|2026-12-01Z|2026-12-01T10:00:00+5|
  2026-12-01T10:00:00+99:99|2026-12-01T10:00:00.Z|2026-12-01T10:00:00,5Z|12/01/2026|yesterday|1764547200000||+002026-12-01|
  2026-12-01T10:00:00Z extra`;

for (const text of BAD.split(/\|\s*/)) {
  test(`parseTime refuses ${JSON.stringify(text)}`, () => {
    assertEquals(parseTime(text), undefined);
  });
}

// Otherwise formatTime prints "+010000-…", which no output schema allows: searches that find such a fact all fail.
for (const text of ["9999-12-31T23:59:59-14:00", "0000-01-01T00:00:00+14:00"]) {
  test(`parseTime refuses ${text}, which is outside the years 0000 to 9999 in UTC`, () => {
    assertEquals(parseTime(text), undefined);
  });
}

test("parseTime and formatTime are each other's inverse", () => {
  const years = { min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-30T00:00:00Z"), noInvalidDate: true };
  fc.assert(fc.property(fc.date(years), (date) => {
    assertEquals(parseTime(formatTime(date.getTime())), date.getTime());
    assertEquals(parseTime(formatDate(date.getTime())), Math.floor(date.getTime() / 86_400_000) * 86_400_000);
  }));
});
