import type { Service } from '../model/service';
import type { Session } from './session';
import type { Access, AccessProvider } from '../model/access';

/** Access to the service of the settings, with the key of this window's session. */
export class SessionAccess implements AccessProvider {
  readonly #service: Service;
  readonly #session: Session;

  constructor(service: Service, session: Session) {
    this.#service = service;
    this.#session = session;
  }

  async access(): Promise<Access> {
    const connection = await this.#service.connect();
    return { baseUrl: connection.url, accessKey: await this.#session.accessKey(connection) };
  }

  async renew({ accessKey }: Access): Promise<Access | undefined> {
    const connection = await this.#service.connect();
    const renewed = await this.#session.renew(connection, accessKey);
    return renewed === undefined ? undefined : { baseUrl: connection.url, accessKey: renewed };
  }

  checkService(): Promise<void> {
    return this.#service.check();
  }
}
