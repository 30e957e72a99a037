import type { FromWebview, SavedState, ToWebview } from './protocol';

interface VsCodeApi {
  postMessage(message: FromWebview): void;
  getState(): SavedState | undefined;
  setState(state: SavedState): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** The one connection to the host. VS Code gives its API once per document, so there is one instance. */
export interface Transport {
  post: (message: FromWebview) => void;
  /** Starts to deliver messages, then tells the host so. */
  listen: (receive: (message: ToWebview) => void) => void;
  savedState: () => SavedState | undefined;
  saveState: (state: SavedState) => void;
}

export function connect(): Transport {
  const api = acquireVsCodeApi();
  return {
    post: (message) => {
      api.postMessage(message);
    },
    listen(receive) {
      addEventListener('message', (event: MessageEvent<ToWebview>) => {
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
