import assert from 'node:assert/strict';
import type { LookupStore } from '../../../../server/contracts/abi/lookup-cache';
import { SourcifySources } from '../../../../server/contracts/sources/verified/sourcify-sources';
import { VerifiedSources } from '../../../../server/contracts/sources/verified/verified-sources';
import { SourceFiles } from '../../../../server/store/cache/source-files';
import { sourcifyAnswer } from '../../../support/compiled-source';
import { useJsonServices } from '../../../support/json-service';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';
import { find, shop } from './find-verified';

describe('verified sources on disk', () => {
  const serve = useJsonServices();

  it('are fetched again where the file has the form of an earlier version', async () => {
    const folder = await makeTemporaryDirectory();
    try {
      const service = await serve(() => ({ body: sourcifyAnswer(shop) }));
      const files = new SourceFiles(folder);
      const keys: string[] = [];
      const store: LookupStore = {
        read: (key) => files.read(key),
        write: (key, kept) => {
          keys.push(key);
          return files.write(key, kept);
        },
      };
      const look = async (): Promise<void> => {
        const options = { service: new SourcifySources({ url: service.url }), store };
        assert.equal((await find(new VerifiedSources(options)))?.match, 'exact');
      };
      await look();
      await look();
      assert.equal(service.asked.length, 1);
      const { value } = (await files.read(keys[0]!))!;
      await files.write(keys[0]!, {
        expires: null,
        value: { ...(value as object), format: undefined, compilerSettings: undefined },
      });
      await look();
      assert.equal(service.asked.length, 2);
    } finally {
      await removeDirectory(folder);
    }
  });
});
