// What the HTTP door counts, in Prometheus' text format; labels come from fixed tables, never from requests.

/** Upper bounds of the latency histogram's buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export interface Gauges {
  readonly facts: number;
  readonly storeBytes: number | undefined;
  /** On the daemon's socket. */
  readonly clients: number;
}

interface Latency {
  readonly counts: number[];
  sum: number;
  total: number;
}

export class Metrics {
  underWay = 0;
  readonly #requests = new Map<string, number>();
  readonly #latencies = new Map<string, Latency>();

  /** @param route as in the table of routes @param seconds from the request's first byte to the answer's */
  count(route: string, status: number, seconds: number): void {
    const labels = `route="${route}",status="${status}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
    const latency = this.#latencies.get(route) ?? { counts: BUCKETS.map(() => 0), sum: 0, total: 0 };
    this.#latencies.set(route, latency);
    BUCKETS.forEach((bound, at) => latency.counts[at] = (latency.counts[at] ?? 0) + Number(seconds <= bound));
    latency.sum += seconds;
    latency.total++;
  }

  print({ facts, storeBytes, clients }: Gauges): string {
    return [
      ...head("holdfast_http_requests_total", "counter", "Requests answered"),
      ...[...this.#requests].map(([labels, count]) => `holdfast_http_requests_total{${labels}} ${count}`),
      ...head("holdfast_http_request_seconds", "histogram", "From a request to its answer"),
      ...[...this.#latencies].flatMap(([route, { counts, sum, total }]) => [
        ...BUCKETS.map((bound, at) =>
          `holdfast_http_request_seconds_bucket{route="${route}",le="${bound}"} ${counts[at]}`
        ),
        `holdfast_http_request_seconds_bucket{route="${route}",le="+Inf"} ${total}`,
        `holdfast_http_request_seconds_sum{route="${route}"} ${sum}`,
        `holdfast_http_request_seconds_count{route="${route}"} ${total}`,
      ]),
      ...gauge("holdfast_http_requests_under_way", "Requests that have no answer yet", this.underWay),
      ...gauge("holdfast_clients", "Connections on the daemon's socket", clients),
      ...gauge("holdfast_facts", "Live facts", facts),
      ...(storeBytes === undefined ? [] : gauge("holdfast_store_bytes", "Size of the store's file", storeBytes)),
      "",
    ].join("\n");
  }
}

function gauge(name: string, help: string, value: number): string[] {
  return [...head(name, "gauge", help), `${name} ${value}`];
}

function head(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
