import type { RouteInput } from '../api/routes';
import type { Caller } from '../projects/access-keys';
import type { Handlers } from './context';
import { requireLocalUser } from './require-local-user';
import type { AbiService, ArtifactFolderService, LabelService } from './services';

type GivenFactHandlers = Pick<
  Handlers,
  | 'putAbi'
  | 'getAbi'
  | 'deleteAbi'
  | 'listLabels'
  | 'putLabel'
  | 'deleteLabel'
  | 'addArtifactFolders'
>;

export interface GivenFactServices {
  abis: AbiService;
  labels: LabelService;
  artifactFolders: ArtifactFolderService;
}

/** Handlers of the operations on what users say of contracts: ABIs, labels, folders of build output. */
export function givenFactHandlers({
  abis,
  labels,
  artifactFolders,
}: GivenFactServices): GivenFactHandlers {
  const abiKey = (
    { chain, address }: RouteInput<'getAbi'>['params'],
    { user }: Caller,
  ): Parameters<AbiService['get']>[0] => ({ user: user.userId, chain, address });

  return {
    putAbi: async ({ params, body }, context) =>
      abis.put(abiKey(params, context), body.contractName, body.abi),
    getAbi: async ({ params }, context) => abis.get(abiKey(params, context)),
    deleteAbi: async ({ params }, context) => {
      await abis.delete(abiKey(params, context));
      return null;
    },
    listLabels: (_, { user }) => labels.list(user.userId),
    putLabel: async ({ body: { name, ...place } }, context) => {
      return labels.put({ ...place, user: context.user.userId }, name);
    },
    deleteLabel: async ({ body }, { user }) => {
      await labels.delete({ ...body, user: user.userId });
      return null;
    },
    addArtifactFolders: ({ body: { folders } }, context) => {
      requireLocalUser(
        context,
        'only the local user of this machine can add its folders; give an ABI with PUT /v1/abi instead',
      );
      return Promise.resolve({ folders: [...artifactFolders.add(folders)] });
    },
  };
}
