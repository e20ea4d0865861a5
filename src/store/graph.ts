// The knowledge graph in SQL: named entities and the links between them, per agent.
import { type Database, sql } from "./database.ts";

export interface Link {
  readonly agentId: string;
  readonly source: string;
  readonly relation: string;
  readonly target: string;
}

export interface Graph {
  /** Makes missing ends; linking twice changes nothing. */
  link(link: Link & { readonly now: number }): Promise<void>;
  links(agentId: string): Promise<readonly Link[]>;
}

const ADD_AGENT = "INSERT INTO agents (name) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM agents WHERE name = ?1)";
const ADD_ENTITY = `INSERT INTO entities (aid, name) SELECT aid, ?2 FROM agents a WHERE name = ?1
  AND NOT EXISTS (SELECT 1 FROM entities e WHERE e.aid = a.aid AND e.name = ?2)`;
const ADD_LINK = `INSERT INTO links (aid, source, relation, target, created_at)
  SELECT a.aid, s.eid, ?3, t.eid, ?5 FROM agents a JOIN entities s ON s.aid = a.aid AND s.name = ?2
  JOIN entities t ON t.aid = a.aid AND t.name = ?4 WHERE a.name = ?1 ON CONFLICT DO NOTHING`;
const LINKS = `SELECT s.name AS source, l.relation, t.name AS target FROM links l JOIN entities s ON s.eid = l.source
  JOIN entities t ON t.eid = l.target WHERE l.aid = (SELECT aid FROM agents WHERE name = ?1) ORDER BY l.created_at, l.source, l.relation, l.target`;

export function openGraph(database: Database): Graph {
  return {
    async link({ agentId, source, relation, target, now }) {
      await database.write([
        sql(ADD_AGENT, agentId),
        sql(ADD_ENTITY, agentId, source),
        sql(ADD_ENTITY, agentId, target),
        sql(ADD_LINK, agentId, source, relation, target, now),
      ]);
    },
    async links(agentId) {
      const [rows = []] = await database.read([sql(LINKS, agentId)]);
      return rows.map((row) => ({
        agentId,
        source: String(row["source"]),
        relation: String(row["relation"]),
        target: String(row["target"]),
      }));
    },
  };
}
