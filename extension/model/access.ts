/** Address and credentials of a service. */
export interface Access {
  /** Without a trailing slash. */
  baseUrl: string;
  accessKey: string;
}

/** Provides access to the service in use. */
export interface AccessProvider {
  /** Starts the service and issues a key if neither needs the user. */
  access(): Promise<Access>;
  /** @returns undefined if no key other than `refused` is available */
  renew(refused: Access): Promise<Access | undefined>;
  /** Call after the service did not answer. Resolves when the service's state has been checked. */
  checkService(): Promise<void>;
}
