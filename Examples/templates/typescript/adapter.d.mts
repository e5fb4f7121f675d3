// Types of adapter.mjs, the part of an adapter that is the same for every SDK and every protocol.

/** Thrown by a command whose feature the SDK does not have. */
export class Unsupported extends Error {}

/** The app's clock. With `virtual` it moves only when the kit moves it: take time, timers and requests from here. */
export interface Clock {
  now(): number;
  setTimeout(action: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** What one launch provides to the SDK. */
export interface App {
  /** The folder for everything that the SDK persists. */
  storage: string;
  clock: Clock;
  /** The seed of every random choice of the SDK. */
  seed: number;
  environment: Record<string, unknown>;
  dialect?: string;
  callback(handle: string, value?: unknown): void;
}

/** A command of the protocol, with its parameters and its result. */
export interface Command<SDK, Params, Result> {
  (sdk: SDK, params: Params, app: App): Result | Promise<Result>;
}

export interface Adapter<SDK, Commands> {
  hello: Record<string, unknown>;
  open(app: App): SDK | Promise<SDK>;
  close?(sdk: SDK): void;
  commands: Commands;
  errorOf(error: Error): { kind: string; status?: number };
}

/** Serves commands until the kit ends the process. */
export function serve<SDK, Commands>(adapter: Adapter<SDK, Commands>): void;
