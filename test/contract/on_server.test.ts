// The tests of the store and of the memory once more, on a real server in place of a file.
import { after, test } from "node:test";
import { NO_SQLD, startSqld } from "../support/sqld.ts";
import { standOn } from "../support/stores.ts";

if (NO_SQLD) test("the shared suite on a server", { skip: NO_SQLD }, () => {});
else {
  const server = await startSqld();
  after(() => server.kill());
  standOn({
    share: 0.1,
    async store() {
      await server.wipe();
      return { store: server.url, server: { deadline: 5000 } };
    },
  });
  await import("../store/facts.test.ts");
  await import("../store/checkpoints.test.ts");
  await import("../store/graph.test.ts");
  await import("../store/listing.test.ts");
  await import("../store/vectors.test.ts");
  await import("../store/transfer.test.ts");
  await import("../memory/search.test.ts");
  await import("../memory/reflect.test.ts");
  await import("../memory/checkpoint.test.ts");
  await import("../memory/meaning.test.ts");
  await import("../store/terms_index.test.ts");
}
