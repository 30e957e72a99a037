import type { Disposable, Event } from '../editor/emitter';
import type { Service } from '../model/service';
import type { Session } from './session';
import type { ChangeListener } from '../service/change-listener';

/** A view that shows data which can change. */
export interface ChangeAudience {
  readonly isShown: boolean;
  readonly onDidChangeShown: Event<unknown>;
}

/** Listens to the service while one of the audiences is shown and the service runs. Never starts the service. */
export function followChanges(
  changes: Pick<ChangeListener, 'start' | 'stop'>,
  service: Pick<Service, 'state' | 'onDidChangeState'>,
  session: Pick<Session, 'state' | 'onDidChange'>,
  audiences: readonly ChangeAudience[],
): Disposable {
  const listen = (): void => {
    const isShown = audiences.some((audience) => audience.isShown);
    const isServed = session.state.kind === 'signedIn' && service.state.kind === 'running';
    if (isShown && isServed) changes.start();
    else changes.stop();
  };
  const subscriptions = [
    service.onDidChangeState(listen),
    session.onDidChange(listen),
    ...audiences.map(({ onDidChangeShown }) => onDidChangeShown(listen)),
  ];
  return {
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}
