/*
 * Entry point of a separate process inside the engines' network. It hands sockets from there to the service, which cannot open any there.
 * It ends with the service.
 */
import { execFile } from 'node:child_process';
import { connect, createServer, type Server } from 'node:net';
import { promisify } from 'node:util';
import { GATEWAY_PORT, type ConnectRequest, type GatekeeperMessage } from './gatekeeper-messages';

const HOST = '127.0.0.1';

/** Sets IFF_UP of `lo`, using SIOCGIFFLAGS and SIOCSIFFLAGS of netdevice(7). */
const PERL = `use Socket; socket(my $s, PF_INET, SOCK_DGRAM, 0) or die "socket: $!";
my $r = pack("a16 s x22", "lo", 0); ioctl($s, 0x8913, $r) or die "SIOCGIFFLAGS: $!";
my ($name, $flags) = unpack("a16 s", $r);
ioctl($s, 0x8914, pack("a16 s x22", "lo", $flags | 1)) or die "SIOCSIFFLAGS: $!";`;

/** Commands that bring up the loopback interface, which is down in a new network. One of them is enough. */
const LOOPBACK_UP: readonly (readonly [string, ...string[]])[] = [
  ['ip', 'link', 'set', 'lo', 'up'],
  ['ifconfig', 'lo', 'up'],
  ['busybox', 'ip', 'link', 'set', 'lo', 'up'],
  ['perl', '-e', PERL],
];

async function bringUpLoopback(): Promise<void> {
  const failures: string[] = [];
  for (const [file, ...args] of LOOPBACK_UP) {
    try {
      await promisify(execFile)(file, args);
      return;
    } catch (error) {
      const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
      failures.push(`${file}: ${/.+/.exec(stderr)?.[0] ?? String(code)}`);
    }
  }
  throw new Error(`the loopback interface cannot be brought up (${failures.join('; ')})`);
}

const listen = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(GATEWAY_PORT, HOST, resolve);
  });

const post = (message: GatekeeperMessage): void => {
  process.send?.(message);
};

function answer({ id, port }: ConnectRequest): void {
  const socket = connect({ host: HOST, port, noDelay: true });
  socket.pause(); // the service reads the data
  socket.once('error', ({ message }) => {
    post({ kind: 'connected', id, error: message });
  });
  socket.once('connect', () => {
    process.send?.({ kind: 'connected', id } satisfies GatekeeperMessage, socket);
  });
}

async function main(): Promise<void> {
  process.on('disconnect', () => process.exit());
  // A terminal sends these signals to the service as well, which needs its engines to stop cleanly.
  process.on('SIGINT', () => undefined).on('SIGHUP', () => undefined);
  await bringUpLoopback();
  const server = createServer();
  await listen(server);
  process.on('message', answer);
  process.send?.({ kind: 'ready' } satisfies GatekeeperMessage, server, undefined, () => {
    // The service accepts connections on its copy of the socket.
    server.close();
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`, () => process.exit(1));
});
