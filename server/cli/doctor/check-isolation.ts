import {
  IsolatedNetwork,
  NoIsolation,
  type IsolatedNetworkOptions,
} from '../../chains/engine/isolated-network';
import type { Finding } from '../../api/doctor';

const ON_LINUX =
  'Install util-linux (unshare, nsenter) and iproute2 (ip), and allow user namespaces: user.max_user_namespaces above 0, ' +
  'and, if the system has them, kernel.unprivileged_userns_clone=1 and kernel.apparmor_restrict_unprivileged_userns=0 (sysctl); ' +
  'in a container, use a seccomp profile that allows unshare.';
const ELSEWHERE =
  'Run the service on Linux (in WSL 2, or a container), or on a machine without other users.';

/** Whether engines can run in an isolated network. */
export async function checkIsolation(options: IsolatedNetworkOptions = {}): Promise<Finding> {
  const name = 'isolation of engines';
  try {
    const network = await IsolatedNetwork.open(options);
    await network.close();
    return { name, status: 'ok', message: 'engines run in an isolated network' };
  } catch (error) {
    const reason = (error as Error).message;
    if (!(error instanceof NoIsolation)) return { name, status: 'failed', message: reason };
    const { platform = process.platform } = options;
    return {
      name,
      status: 'warning',
      message: `engines listen on the loopback interface, where programs and other users of this machine reach them: ${reason}`,
      advice: platform === 'linux' ? ON_LINUX : ELSEWHERE,
    };
  }
}
