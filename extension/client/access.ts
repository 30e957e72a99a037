/** How a service is reached by its user. */
export interface Access {
  /** Without a trailing slash. */
  baseUrl: string;
  accessKey: string;
}

/** Knows the service in use and its user's key. */
export interface AccessProvider {
  /** Starts the service, and issues a key, where that takes no user. */
  access(): Promise<Access>;
  /** @returns undefined where there is no other key than the `refused` one */
  renew(refused: Access): Promise<Access | undefined>;
  /** The service did not answer. Resolves when its state has been looked at. */
  checkService(): Promise<void>;
}
