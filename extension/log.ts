/** Where the extension writes what it does; `vscode.LogOutputChannel` is one. Never an access key, never a fork's RPC URL. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
