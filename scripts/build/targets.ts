// The platforms that executables are made for, and the packages they are made from, each with the sum it must have.
import process from "node:process";
import TABLE from "./targets.json" with { type: "json" };

export interface Package {
  readonly package: string;
  /** Of the package's tarball. */
  readonly sha256: string;
}

export interface Target {
  readonly id: string;
  /** As `process.platform` and `process.arch` name them. */
  readonly os: string;
  readonly cpu: string;
  readonly node: Package;
  readonly addon: Package;
}

export const NODE_VERSION: string = TABLE.node;
export const LIBSQL_VERSION: string = TABLE.libsql;
export const TARGETS: readonly Target[] = TABLE.targets;

/** @throws Error where no executable is made for this machine. */
export function hostTarget(): Target {
  const found = TARGETS.find(({ os, cpu }) => os === process.platform && cpu === process.arch);
  if (!found) throw new Error(`No executable is made for ${process.platform}-${process.arch}`);
  return found;
}
