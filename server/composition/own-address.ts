/** Base URL of the service on this machine: empty until it listens. */
export class OwnAddress {
  url = '';
}
