export interface ControlRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** `:name` in a path is one segment, `*` at its end the rest. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly run: (request: ControlRequest) => unknown;
}
