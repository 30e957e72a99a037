import { Emitter, type Disposable } from '../editor/emitter';
import type { Log } from '../editor/log';
import type { Service, ServiceConnection, ServiceState } from '../model/service';

/** The service of the settings. A change of the settings replaces it. */
export class ServiceManager implements Service {
  readonly #create: () => Service;
  readonly #log: Log;
  readonly #changes = new Emitter<ServiceState>();
  readonly onDidChangeState = this.#changes.event;
  #current: Service;
  #subscription: Disposable;

  /** @param create builds the service from the current settings */
  constructor(create: () => Service, log: Log) {
    this.#create = create;
    this.#log = log;
    this.#current = create();
    this.#subscription = this.#current.onDidChangeState(this.#changes.fire.bind(this.#changes));
  }

  get id(): string {
    return this.#current.id;
  }

  get state(): ServiceState {
    return this.#current.state;
  }

  connect(): Promise<ServiceConnection> {
    return this.#current.connect();
  }

  start(): Promise<ServiceConnection> {
    return this.#current.start();
  }

  stop(): Promise<void> {
    return this.#current.stop();
  }

  restart(): Promise<ServiceConnection> {
    return this.#current.restart();
  }

  check(): Promise<void> {
    return this.#current.check();
  }

  /** Ends the service of the old settings and switches to that of the new ones, which starts on first use. */
  async replace(): Promise<void> {
    this.#log.info('the settings of the service changed');
    this.#subscription.dispose();
    const old = this.#current;
    this.#current = this.#create();
    this.#subscription = this.#current.onDidChangeState(this.#changes.fire.bind(this.#changes));
    await old.dispose();
    this.#changes.fire(this.#current.state);
  }

  dispose(): Promise<void> {
    this.#subscription.dispose();
    return this.#current.dispose();
  }
}
