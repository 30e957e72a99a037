import type {
  FromComparison,
  FromWebview,
  SavedComparison,
  SavedState,
  ToComparison,
  ToWebview,
} from '../protocol/protocol';

interface VsCodeApi {
  postMessage(message: FromWebview | FromComparison): void;
  getState(): SavedState | SavedComparison | undefined;
  setState(state: SavedState | SavedComparison): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** The connection to the host. VS Code provides its API once per document, so there is one instance. */
export interface Transport {
  post: (message: FromWebview | FromComparison) => void;
  /** Starts to deliver messages, then posts `ready` to the host. */
  listen: (receive: (message: ToWebview | ToComparison) => void) => void;
  savedState: () => SavedState | SavedComparison | undefined;
  saveState: (state: SavedState | SavedComparison) => void;
}

export function connect(): Transport {
  const api = acquireVsCodeApi();
  return {
    post: (message) => {
      api.postMessage(message);
    },
    listen(receive) {
      addEventListener('message', (event: MessageEvent<ToWebview | ToComparison>) => {
        receive(event.data);
      });
      api.postMessage({ type: 'ready' });
    },
    savedState: () => api.getState(),
    saveState: (state) => {
      api.setState(state);
    },
  };
}
