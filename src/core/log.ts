// Where messages for the operator go: standard error, one line each, never standard output.

/** Writes one line; a closed standard error is not a reason to stop. */
export function log(message: string): void {
  try {
    console.error(`holdfast: ${message}`);
  } catch {
    // Nobody is listening.
  }
}
