// The tests of the store once more, with every write sent twice as to a server whose first answer was lost.
import type { Database } from "../../src/store/database.ts";
import { standOn } from "../support/stores.ts";
import { temporaryStore } from "../support/temporary.ts";

const twice = (database: Database): Database => ({
  ...database,
  async write(statements) {
    await database.write(statements);
    return database.write(statements);
  },
});

standOn({ store: () => Promise.resolve({ store: temporaryStore() }), around: twice, share: 0.5 });
await import("../store/facts.test.ts");
await import("../store/checkpoints.test.ts");
await import("../store/graph.test.ts");
await import("../store/vectors.test.ts");
await import("../memory/checkpoint.test.ts");
await import("../store/terms_index.test.ts");
