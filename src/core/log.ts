// Where messages for the operator go: standard error, one line each, never standard output, unless the daemon keeps them.

/** `detail` may hold text of facts or of a driver. */
type Sink = (message: string, detail: string) => void;

let sink: Sink = (message, detail) => console.error(`holdfast: ${message}${detail === "" ? "" : `: ${detail}`}`);

/** Writes one line; a closed standard error is not a reason to stop. */
export function log(message: string, detail = ""): void {
  try {
    sink(message, detail);
  } catch {
    // Nobody is listening.
  }
}

/** From here on messages go elsewhere. */
export function logTo(other: Sink): void {
  sink = other;
}
