// Links between named things, per agent.
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { openGraph } from "../../src/store/graph.ts";
import { newDatabase, rows } from "../support/stores.ts";

const open = async () => {
  const database = await newDatabase();
  return { database, graph: openGraph(database) };
};
const link = (source: string, relation: string, target: string, agentId = "a") => ({
  agentId,
  source,
  relation,
  target,
});

test("link makes missing ends once, and linking twice changes nothing", async () => {
  const { database, graph } = await open();
  await graph.link({ ...link("Ann", "owns", "API"), now: 1 });
  await graph.link({ ...link("Ann", "owns", "API"), now: 2 });
  await graph.link({ ...link("API", "runs_on", "Ann"), now: 3 });
  assertEquals(await graph.links("a"), [link("Ann", "owns", "API"), link("API", "runs_on", "Ann")]);
  assertEquals((await rows(database, "SELECT name FROM entities ORDER BY name")).map(({ name }) => name), [
    "API",
    "Ann",
  ]);
});

test("link keeps direction, relation and case apart, and joins a thing to itself", async () => {
  const { graph } = await open();
  const all = [link("x", "r", "y"), link("y", "r", "x"), link("x", "R", "y"), link("X", "r", "y"), link("x", "r", "x")];
  for (const [now, one] of all.entries()) await graph.link({ ...one, now });
  assertEquals(await graph.links("a"), all);
});

test("links are of one agent alone", async () => {
  const { graph } = await open();
  await graph.link({ ...link("x", "r", "y"), now: 1 });
  await graph.link({ ...link("x", "r", "z", "b"), now: 1 });
  assertEquals(await graph.links("a"), [link("x", "r", "y")]);
  assertEquals(await graph.links("b"), [link("x", "r", "z", "b")]);
  assertEquals(await graph.links("nobody"), []);
});

test("links that begin alike in time have an order all the same", async () => {
  const { graph } = await open();
  for (const target of ["c", "a", "b"]) await graph.link({ ...link("x", "r", target), now: 1 });
  assertEquals((await graph.links("a")).map(({ target }) => target), ["c", "a", "b"]);
});
