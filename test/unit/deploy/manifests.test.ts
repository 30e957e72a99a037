import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { Metrics } from '../../../server/kernel/metrics/metrics';
import { documentText } from '../../support/documents';
import { DEPLOY } from '../../support/reverse-proxy';

const read = (file: string): string => readFileSync(join(DEPLOY, file), 'utf8');

/** Variables that the service reads: those of its options, and secrets that have no option. */
const VARIABLES: ReadonlySet<string> = new Set(
  [...documentText('server/CONFIGURATION.md').matchAll(/`(FORKLENS_[A-Z_]+)`/g)].map(
    ([, name]) => name!,
  ),
);

interface Container {
  image: string;
  env: { name: string; value?: string }[];
  startupProbe: { httpGet: { path: string } };
  livenessProbe: { httpGet: { path: string } };
  readinessProbe: { httpGet: { path: string } };
  lifecycle: { preStop: { exec: { command: string[] } } };
  securityContext: object;
  volumeMounts: { mountPath: string }[];
}

interface Manifest {
  kind: string;
  spec: {
    replicas?: number;
    minAvailable?: number;
    selector: Record<string, unknown>;
    ports?: { targetPort: string }[];
    template?: {
      metadata: { labels: Record<string, string> };
      spec: {
        securityContext: object;
        terminationGracePeriodSeconds: number;
        containers: Container[];
      };
    };
  };
}

describe('the Kubernetes manifests', () => {
  const manifests = parseAllDocuments(read('kubernetes.yaml'), { strict: true }).map(
    (document): Manifest => {
      assert.deepEqual(document.errors, []);
      return document.toJS() as Manifest;
    },
  );
  const [deployment, service, budget] = manifests as [Manifest, Manifest, Manifest];
  const { template, replicas } = deployment.spec;
  const [container] = template!.spec.containers as [Container];

  it('are a deployment, its service and its disruption budget', () => {
    const kinds = manifests.map(({ kind }) => kind);
    assert.deepEqual(kinds, ['Deployment', 'Service', 'PodDisruptionBudget']);
    const { labels } = template!.metadata;
    assert.deepEqual(deployment.spec.selector, { matchLabels: labels });
    assert.deepEqual(service.spec.selector, labels);
    assert.deepEqual(budget.spec.selector, { matchLabels: labels });
    assert.equal(service.spec.ports![0]!.targetPort, 'http');
    assert.ok(budget.spec.minAvailable! < replicas!);
  });

  it('probe the routes that say so, and drain before the end', () => {
    assert.equal(container.startupProbe.httpGet.path, '/health/live');
    assert.equal(container.livenessProbe.httpGet.path, '/health/live');
    assert.equal(container.readinessProbe.httpGet.path, '/health/ready');
    const command = container.lifecycle.preStop.exec.command.at(-1)!;
    const [, seconds] = /^timeout (\d+) forklens node drain "\$\(cat \/data\/node-id\)"$/.exec(
      command,
    )!;
    // SIGTERM gives forks away for 8 s, and answers for 3 s more.
    assert.ok(template!.spec.terminationGracePeriodSeconds >= Number(seconds) + 15);
  });

  it('run without privileges on a read-only root', () => {
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const pod = template!.spec.securityContext as { runAsNonRoot: boolean; runAsUser: number };
    assert.deepEqual([pod.runAsNonRoot, pod.runAsUser], [true, 1000]);
    const paths = container.volumeMounts.map(({ mountPath }) => mountPath);
    assert.deepEqual(paths, ['/data', '/tmp']);
    assert.ok(!container.image.endsWith(':latest'));
  });

  it('set variables that exist, and no secret', () => {
    for (const { name, value } of container.env) {
      assert.ok(name === 'POD_IP' || VARIABLES.has(name), name);
      if (/DATABASE|TOKEN/.test(name)) assert.equal(value, undefined);
    }
  });
});

interface ComposeService {
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  environment?: Record<string, string>;
  volumes: string[];
  ports?: string[];
  networks: string[];
}

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml'), { strict: true, merge: true }) as {
    services: Record<string, ComposeService>;
    volumes: Record<string, null>;
    networks: { inside: { ipam: { config: { subnet: string }[] } } };
  };
  const { services } = compose;

  it('has two nodes that reach each other by name, and one way in', () => {
    assert.deepEqual(Object.keys(services), ['database', 'node-1', 'node-2', 'balancer']);
    const published = Object.entries(services).filter(([, { ports }]) => ports);
    assert.deepEqual(
      published.map(([name]) => name),
      ['balancer'],
    );
    for (const name of ['node-1', 'node-2']) {
      const { environment, volumes } = services[name]!;
      assert.equal(environment!['FORKLENS_NODE_URL'], `http://${name}:8787`);
      const { subnet } = compose.networks.inside.ipam.config[0]!;
      assert.equal(environment!['FORKLENS_TRUSTED_PROXY'], subnet);
      for (const variable of Object.keys(environment!))
        assert.ok(VARIABLES.has(variable), variable);
      assert.deepEqual(volumes, [`${name}:/data`]);
      assert.ok(name in compose.volumes);
      assert.ok(read('haproxy.cfg').includes(`${name}:8787`));
    }
  });

  it('runs the nodes without privileges on a read-only root, and contains no secret', () => {
    for (const name of ['node-1', 'node-2']) {
      const {
        user,
        read_only: isReadOnly,
        cap_drop: drop,
        security_opt: options,
      } = services[name]!;
      assert.deepEqual([user, isReadOnly, drop], ['1000:1000', true, ['ALL']]);
      assert.deepEqual(options, ['no-new-privileges:true']);
    }
    const passwords = [...read('compose.yaml').matchAll(/(?:PASSWORD: |forklens:)(\S+?)(?:@|$)/gm)];
    assert.equal(passwords.length, 2);
    for (const [, value] of passwords) assert.equal(value, '${POSTGRES_PASSWORD:?}');
  });
});

describe('the Dockerfile', () => {
  it('runs the service as a user that is not root, with variables that exist', () => {
    const text = read('Dockerfile').replace(/\\\n\s*/g, '');
    const instructions = text.split('\n').filter((line) => /^[A-Z]/.test(line));
    const valuesOf = (name: string): string[] =>
      instructions
        .filter((line) => line.startsWith(`${name} `))
        .map((line) => line.slice(name.length + 1));
    assert.deepEqual(valuesOf('USER'), ['1000:1000']);
    assert.deepEqual(valuesOf('VOLUME'), ['/data']);
    assert.deepEqual(valuesOf('ENTRYPOINT'), ['["forklens-server"]']);
    assert.match(valuesOf('FROM')[0]!, /^node:\d+-\w+-slim$/);
    // The user is set before nothing but how the service starts.
    const after = instructions.slice(instructions.findIndex((line) => line.startsWith('USER')) + 1);
    assert.ok(after.every((line) => /^(STOPSIGNAL|HEALTHCHECK|ENTRYPOINT) /.test(line)));
    const variables = [...valuesOf('ENV')[0]!.matchAll(/(FORKLENS_\w+)=/g)];
    assert.equal(variables.length, 3);
    for (const [, name] of variables) assert.ok(VARIABLES.has(name!), name);
  });
});

describe('the Grafana dashboard', () => {
  it('asks only for metrics and labels that the service has', async () => {
    const metrics = new Metrics('1.0.0');
    metrics.readFrom({
      forks: () => new Map([['running', 0]]),
      engines: () => ({ forks: 0, executions: 0, limit: 0, waiting: 0 }),
      executionsWaiting: () => 0,
      webSockets: () => 0,
      longestStall: () => ({ seconds: 0, processorSeconds: 0 }),
      database: () => ({ used: 0, idle: 0, waiting: 0 }),
    });
    metrics.request({ method: 'GET', url: '/', status: 200, seconds: 0 });
    metrics.upstream('eth', { calls: 0, failed: 0, seconds: 0 });
    metrics.lookUp('traces', true);
    const text = await metrics.text();
    const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
      panels: { targets: { expr: string }[] }[];
    };
    const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    assert.ok(queries.length >= 16);
    const asked = new Set<string>();
    for (const query of queries) {
      const names = query.match(/\b(forklens|nodejs|process)_\w+/g) ?? [];
      assert.ok(names.length > 0, query);
      for (const name of names) {
        asked.add(name);
        assert.match(text, new RegExp(`^${name}[{ ]`, 'm'));
      }
      const [, labels = ''] = / by \(([^)]+)\)/.exec(query) ?? [];
      for (const label of labels.split(', ').filter((one) => one !== '')) {
        const has = names.some((name) => new RegExp(`^${name}\\{.*\\b${label}="`, 'm').test(text));
        assert.ok(has, `${query} has no label ${label}`);
      }
    }
    const own = [...text.matchAll(/^# TYPE (forklens_\w+)/gm)].map(([, name]) => name!);
    const unseen = own.filter((name) => ![...asked].some((one) => one.startsWith(name)));
    assert.deepEqual(unseen, []);
  });
});
