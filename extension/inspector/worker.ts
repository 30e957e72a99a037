import { parentPort } from 'node:worker_threads';
import { errorOfCode } from '../../server/api/errors';
import type { Access, AccessProvider } from '../model/access';
import { ServiceClient } from '../service/service-client';
import { AnalysisSession } from './analysis-session';
import { partLoader } from './load-part';
import type { AccessQuestion, FromWorker, ToWorker } from './worker-messages';

/* The analysis worker: fetches, validates and slices responses of 60 MB and more. In the extension host this work would block
   all other extensions. */

const post = (message: FromWorker): void => parentPort?.postMessage(message);

const questions = new Map<
  number,
  { resolve: (access: Access | undefined) => void; reject: (error: Error) => void }
>();
let lastQuestion = 0;

function ask(question: AccessQuestion): Promise<Access | undefined> {
  return new Promise((resolve, reject) => {
    questions.set(++lastQuestion, { resolve, reject });
    post({ type: 'ask', id: lastQuestion, question });
  });
}

/** The extension host manages the service and stores the user's key. */
const provider: AccessProvider = {
  access: async () => {
    const access = await ask({ method: 'access' });
    if (!access) throw new Error('the extension host gave no access');
    return access;
  },
  renew: (refused) => ask({ method: 'renew', refused }),
  checkService: async () => {
    await ask({ method: 'checkService' });
  },
};

const client = new ServiceClient(provider);
const sessions = new Map<number, AnalysisSession>();

parentPort?.on('message', (message: ToWorker) => {
  switch (message.type) {
    case 'open': {
      const { session } = message;
      const loader = partLoader(client, message.source);
      sessions.set(
        session,
        new AnalysisSession(loader, (part) => {
          post({ type: 'part', session, message: part });
        }),
      );
      return;
    }
    case 'request':
      sessions.get(message.session)?.receive(message.request);
      return;
    case 'close':
      sessions.get(message.session)?.close();
      sessions.delete(message.session);
      return;
    case 'answer': {
      const question = questions.get(message.id);
      questions.delete(message.id);
      const { access, failure } = message;
      if (failure) question?.reject(errorOfCode(failure.code, failure.message));
      else question?.resolve(access);
      return;
    }
  }
});
