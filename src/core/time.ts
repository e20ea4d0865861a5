// Times on the wire: RFC 3339 in UTC with milliseconds; inside: milliseconds since 1970.

const RFC_3339 = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:?\d{2})?)?$/;
/** Years that four digits can write, in UTC. */
const EARLIEST = Date.parse("0000-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");
const ZONED = /[Zz]|[+-]\d{2}:?\d{2}$/;

/** A full time or a plain date (midnight UTC) as milliseconds since 1970; undefined if it is neither. */
export function parseTime(text: string): number | undefined {
  const trimmed = text.trim();
  if (!RFC_3339.test(trimmed)) return undefined;
  const ms = moment(trimmed);
  return ms === undefined || ms < EARLIEST || ms > LATEST ? undefined : ms;
}

function moment(trimmed: string): number | undefined {
  const [date = "", clock] = trimmed.split(/[Tt ]/);
  const day = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(day) || !new Date(day).toISOString().startsWith(date)) return undefined;
  if (clock === undefined) return day;
  const ms = Date.parse(`${date}T${clock.toUpperCase()}${ZONED.test(clock) ? "" : "Z"}`);
  return Number.isNaN(ms) ? undefined : ms;
}

export function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The day alone, for prose. */
export function formatDate(ms: number): string {
  return formatTime(ms).slice(0, 10);
}
