// The part of @std/assert our tests use, said over node:assert so that no test needs JSR.
// Against the real package: deno test -A --no-check --import-map test/std_assert/deno.jsr.json

import nodeAssert from "node:assert/strict";
import { inspect, isDeepStrictEqual } from "node:util";

/** What every failed assertion throws. */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
}

type ErrorClass<E extends Error> = abstract new (...args: never[]) => E;
type Expected =
  | [msg?: string | undefined]
  | [ErrorClass<Error>, msgIncludes?: string | undefined, msg?: string | undefined];

/** Fails if `expr` is falsy. */
export function assert(expr: unknown, msg = ""): asserts expr {
  if (!expr) throw new AssertionError(msg);
}

/** Fails always. */
export function fail(msg?: string): never {
  throw new AssertionError(withMessage("Failed assertion", msg));
}

/** Fails unless both are deeply equal; prototypes count. */
export function assertEquals<T>(actual: T, expected: T, msg?: string): void {
  compare(() => nodeAssert.deepStrictEqual(actual, expected), msg);
}

/** Fails if both are deeply equal. */
export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void {
  compare(() => nodeAssert.notDeepStrictEqual(actual, expected), msg);
}

/** Fails unless both are the same value by `Object.is`. */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T {
  compare(() => nodeAssert.strictEqual(actual, expected), msg);
}

/** Fails if `actual` is null or undefined. */
export function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T> {
  check(actual !== undefined && actual !== null, `Expected a value, got ${actual}`, msg);
}

/** Fails unless `actual` matches the pattern. */
export function assertMatch(actual: string, expected: RegExp, msg?: string): void {
  check(actual.search(expected) >= 0, `Expected ${inspect(actual)} to match ${expected}`, msg);
}

/** Fails unless `actual` contains `expected`. */
export function assertStringIncludes(actual: string, expected: string, msg?: string): void {
  check(
    actual.includes(expected),
    `Expected ${inspect(actual)} to contain ${inspect(expected)}`,
    msg,
  );
}

/** Fails unless each of `expected` deeply equals some element of `actual`. */
export function assertArrayIncludes<T>(
  actual: ArrayLike<T>,
  expected: ArrayLike<T>,
  msg?: string,
): void {
  const missing = Array.from(expected).filter((want) =>
    !Array.from(actual).some((have) => isDeepStrictEqual(have, want))
  );
  check(missing.length === 0, `Expected ${inspect(actual)} to include ${inspect(missing)}`, msg);
}

/** Fails unless `actual > expected`. */
export function assertGreater<T>(actual: T, expected: T, msg?: string): void {
  check(actual > expected, `Expected ${inspect(actual)} > ${inspect(expected)}`, msg);
}

/** Fails unless `actual >= expected`. */
export function assertGreaterOrEqual<T>(actual: T, expected: T, msg?: string): void {
  check(actual >= expected, `Expected ${inspect(actual)} >= ${inspect(expected)}`, msg);
}

/** Fails unless `actual < expected`. */
export function assertLess<T>(actual: T, expected: T, msg?: string): void {
  check(actual < expected, `Expected ${inspect(actual)} < ${inspect(expected)}`, msg);
}

/** Fails unless `actual <= expected`. */
export function assertLessOrEqual<T>(actual: T, expected: T, msg?: string): void {
  check(actual <= expected, `Expected ${inspect(actual)} <= ${inspect(expected)}`, msg);
}

/** Fails unless `fn` throws; returns what it threw. */
export function assertThrows(fn: () => unknown, msg?: string): unknown;
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): E;
export function assertThrows(fn: () => unknown, ...expected: Expected): unknown {
  try {
    fn();
  } catch (error) {
    return checkError(error, expected);
  }
  throw new AssertionError(withMessage("Expected function to throw", lastMessage(expected)));
}

/** Fails unless the promise of `fn` rejects; returns the reason. A synchronous throw fails too. */
export function assertRejects(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;
export async function assertRejects(
  fn: () => PromiseLike<unknown>,
  ...expected: Expected
): Promise<unknown> {
  let promise: PromiseLike<unknown> | undefined;
  try {
    promise = fn();
    await promise;
  } catch (error) {
    check(promise !== undefined, "Function throws when expected to reject", lastMessage(expected));
    return checkError(error, expected);
  }
  throw new AssertionError(withMessage("Expected function to reject", lastMessage(expected)));
}

function checkError(error: unknown, expected: Expected): unknown {
  const [ErrorClass, msgIncludes] = expected;
  if (typeof ErrorClass !== "function") return error;
  const msg = lastMessage(expected);
  check(error instanceof ErrorClass, `Expected ${ErrorClass.name}, got ${inspect(error)}`, msg);
  if (msgIncludes !== undefined) assertStringIncludes(error.message, msgIncludes, msg);
  return error;
}

function lastMessage([first, , last]: Expected): string | undefined {
  return typeof first === "string" ? first : last;
}

function check(condition: boolean, failure: string, msg?: string): asserts condition {
  if (!condition) throw new AssertionError(withMessage(failure, msg));
}

function compare(comparison: () => void, msg?: string): void {
  try {
    comparison();
  } catch (error) {
    throw new AssertionError(withMessage((error as Error).message, msg));
  }
}

function withMessage(failure: string, msg?: string): string {
  return msg === undefined ? failure : `${failure}: ${msg}`;
}
