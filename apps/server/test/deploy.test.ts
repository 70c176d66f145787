/** What lies in deploy/: settings that exist, manifests of the right form, a rule for each alarm. */
import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { honoursKey, type Route, routes } from '@roomkeeper/contract'
import { readComposeFile, repository, settingsOfService } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readSettings } from '#app/settings.ts'
import { isWithin } from '#platform/networks.ts'
import { type Manifest, readManifests, type Workload, workloadsOf } from './kubernetes-manifests.ts'
import { alertRules, dashboardQueries, figuresIn } from './monitoring-figures.ts'

const run = promisify(execFile)
const deploy = join(repository, 'deploy')
let dir: string
let known: string[]
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'roomkeeper-deploy-'))
  await run(join(deploy, 'make-secrets.sh'), ['console.example', dir])
  known = [...(await readFile(join(repository, 'docs/settings.md'), 'utf8')).matchAll(/^\| `(\w+)`/gm)].map(
    ([, name = '']) => name,
  )
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Those that no program here reads. */
const unknown = (settings: Record<string, string>) =>
  Object.keys(settings).filter((name) => !known.includes(name) && name !== 'NODE_ENV')

describe('make-secrets.sh', () => {
  it('makes files that nobody else can read, and leaves them as they are when it runs again', async () => {
    const names = ['database.env', 'proxy/certificate.pem', 'region-1.env', 'region-2.env', 'server.env']
    const found = await readdir(dir, { recursive: true })
    expect(found.filter((name) => name !== 'proxy').toSorted()).toEqual(names)
    const modes = await Promise.all(names.map(async (name) => (await stat(join(dir, name))).mode & 0o777))
    expect(modes).toEqual(names.map(() => 0o600))
    const contents = () => Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')))
    const before = await contents()
    await rm(join(dir, 'region-2.env'))
    await run(join(deploy, 'make-secrets.sh'), ['other.example', dir])
    const after = await contents()
    expect(after.filter((text, index) => text !== before[index])).toEqual([after[names.indexOf('region-2.env')]])
  })

  it.each([
    ['console.example:8443', 'DNS:console.example'],
    ['192.0.2.7', 'IP Address:192.0.2.7'],
    ['[2001:db8::7]:8443', 'IP Address:2001:DB8:0:0:0:0:0:7'],
  ])('makes a certificate for %s', async (host, expected) => {
    const folder = join(dir, 'of-a-host')
    await run(join(deploy, 'make-secrets.sh'), [host, folder])
    const { subjectAltName } = new X509Certificate(await readFile(join(folder, 'proxy/certificate.pem')))
    await rm(folder, { recursive: true })
    expect(subjectAltName).toBe(expected)
  })

  it('says what is wrong, and makes no password of a database beside settings that have another', async () => {
    const makes = (host: string, path = process.env.PATH ?? '') =>
      run(join(deploy, 'make-secrets.sh'), [host, dir], { env: { PATH: path } })
    await rename(join(dir, 'database.env'), join(dir, 'elsewhere.env'))
    await expect(makes('console.example')).rejects.toMatchObject({ stderr: expect.stringContaining('database.env') })
    await rename(join(dir, 'elsewhere.env'), join(dir, 'database.env'))
    await expect(makes('::1')).rejects.toMatchObject({ stderr: expect.stringContaining('in brackets') })
    await rm(join(dir, 'proxy/certificate.pem'))
    // Longer than a certificate may tell.
    await expect(makes('a'.repeat(100))).rejects.toMatchObject({ stderr: expect.stringContaining('string too long') })
    await makes('console.example')
  })
})

describe('compose.yaml and the systemd units', () => {
  it('set what the programs know, and nothing else', async () => {
    const services = (await readComposeFile()).filter(({ isDatabase }) => !isDatabase)
    expect(services.map(({ name }) => name)).toContain('proxy')
    for (const service of services) {
      const settings = await settingsOfService(service, dir)
      expect(unknown(settings), service.name).toEqual([])
      if (settings.PROCESS !== undefined) expect(() => readSettings(settings), service.name).not.toThrow()
    }
    const files = ['roomkeeper.env.example', 'roomkeeper-api.service', 'roomkeeper-worker@.service']
    for (const file of files) {
      const text = await readFile(join(deploy, file), 'utf8')
      const names = [...text.matchAll(/(?:^(?:# )?|^Environment=|(?<=^Environment=.*) )([A-Z_]+)=/gm)]
      expect(names.length, file).toBeGreaterThan(1)
      expect(unknown(Object.fromEntries(names.map(([, name = '']) => [name, '']))), file).toEqual([])
    }
  })
})

describe('the networks of compose.yaml', () => {
  it('lead regions to nothing that PostgreSQL, API processes and workers listen at, and let the proxy alone say who calls', async () => {
    const services = await readComposeFile()
    const service = (name: string) => {
      const found = services.find((each) => each.name === name)
      if (found === undefined) throw new Error(`The compose file has no service ${name}.`)
      return found
    }
    const names = services.map(({ name }) => name)
    const regions = names.filter((name) => name.startsWith('region-'))
    const reachedByRegions = regions.flatMap((name) => Object.keys(service(name).networks))
    for (const name of ['database', 'proxy'])
      expect(Object.keys(service(name).networks).filter((network) => reachedByRegions.includes(network))).toEqual([])
    for (const { name, networks, env } of services.filter(({ env }) => env.own.PROCESS !== undefined)) {
      expect(env.own.HOST, name).toBe(networks.inner)
      expect(isWithin(env.own.METRICS_HOSTS?.split(',') ?? [])(env.own.HOST ?? ''), name).toBe(true)
    }
    expect(reachedByRegions).not.toContain('inner')
    const processes = ['api-1', 'api-2', 'worker-1', 'worker-2']
    expect(names.filter((name) => service(name).networks.inner !== undefined)).toEqual([...processes, 'proxy'])
    for (const name of ['api-1', 'api-2'])
      expect(service(name).env.own.TRUST_PROXY).toBe(service('proxy').networks.inner)
    const configuration = await readFile(join(deploy, 'proxy/haproxy.cfg'), 'utf8')
    const sources = [...configuration.matchAll(/^ {2}source (.+)$/gm)].map(([, source]) => source)
    expect(sources).toEqual(Array(2).fill(service('proxy').networks.inner))
  })
})

describe('the manifests for Kubernetes', () => {
  let manifests: Manifest[]
  let workloads: Workload[]
  beforeAll(async () => {
    manifests = await readManifests()
    workloads = workloadsOf(manifests)
  })
  const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind)
  const named = (kind: string, name: string) => ofKind(kind).find(({ metadata }) => metadata.name === name)

  it('are of the form that Kubernetes knows; a misspelled field is found', async () => {
    // Within node_modules, where the types are found.
    const folder = join(repository, 'node_modules/.cache', `manifests-${process.pid}`)
    await mkdir(folder, { recursive: true })
    const typed = (manifest: Manifest, json: string) => {
      const group = manifest.apiVersion.includes('/') ? manifest.apiVersion.replace(/\..*(?=\/)/, '') : 'core/v1'
      return `(${json}) satisfies import('kubernetes-types/${group}.js').${manifest.kind}\n`
    }
    const text = manifests.map((each) => typed(each, JSON.stringify(each))).join('')
    await writeFile(join(folder, 'manifests.ts'), text)
    await writeFile(join(folder, 'misspelled.ts'), text.replaceAll('livenessProbe', 'livenesProbe'))
    const tsc = join(repository, 'node_modules/typescript-7/bin/tsc')
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck']
    const files = ['manifests.ts', 'misspelled.ts'].map((name) => join(folder, name))
    const said = await run(process.execPath, [tsc, ...options, ...files]).catch(({ stdout }) => ({ stdout }))
    await rm(folder, { recursive: true })
    const errors = said.stdout.split('\n').filter((line: string) => line.includes('error TS'))
    expect(errors).toHaveLength(workloads.length)
    for (const each of errors) expect(each).toMatch(/misspelled\.ts.*"livenesProbe"' does not exist/)
  })

  it('give each process settings that exist and that it starts with', async () => {
    const image = (await readComposeFile()).find(({ name }) => name === 'api-1')?.env.image
    for (const { name, component, settings } of workloads) {
      expect(unknown(settings), name).toEqual([])
      if (component !== 'region') {
        expect(() => readSettings({ ...image, ...settings }), name).toThrow('it is the one of the example')
        const entered = Object.entries(settings).map(([key, value]) => [key, value.replace('change-me', 'entered')])
        expect(() => readSettings({ ...image, ...Object.fromEntries(entered) }), name).not.toThrow()
      } else
        expect(Object.keys(settings)).toEqual(expect.arrayContaining(['REGION_PASSWORD', 'REGION_SYSTEM_PASSWORD']))
    }
    expect(workloads.map(({ settings }) => settings.PROCESS ?? settings.REGION_NAME)).toEqual([
      'api',
      'worker',
      'region-1',
      'region-2',
    ])
  })

  // shows: deploy-kubernetes
  it('belong together: ports, probes, services, budgets, policies, and time to stop', () => {
    const ports: Record<string, string> = { api: '8080', worker: '8081', region: '9001' }
    for (const { name, component, container, pod, labels, selector } of workloads) {
      expect(labels, name).toMatchObject(selector)
      const [port] = container.ports ?? []
      expect(String(port?.containerPort), name).toBe(ports[component])
      for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe])
        expect(probe?.httpGet?.port, name).toBe(port?.name)
      expect(container.livenessProbe?.httpGet?.path, name).toBe('/healthz')
      expect(container.readinessProbe?.httpGet?.path, name).toBe(component === 'region' ? '/healthz' : '/readyz')
      expect(container.image, name).toMatch(/:\d+\.\d+\.\d+$/)
      expect(pod.terminationGracePeriodSeconds, name).toBe(45)
      expect(pod.securityContext?.runAsNonRoot, name).toBe(true)
      expect(container.securityContext, name).toMatchObject({
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
    const selects = (selector: Record<string, string>) =>
      workloads.filter(({ labels }) => Object.entries(selector).every(([key, value]) => labels[key] === value))
    for (const { metadata, spec } of ofKind('Service')) {
      const [chosen, ...more] = selects(spec.selector)
      expect([chosen?.name, more], metadata.name).toEqual([metadata.name, []])
      expect(spec.ports[0].targetPort, metadata.name).toBe(chosen?.container.ports?.[0]?.name)
    }
    for (const { metadata, spec } of ofKind('PodDisruptionBudget'))
      expect(selects(spec.selector.matchLabels).map(({ name }) => name)).toEqual([metadata.name])
    for (const component of ['api', 'worker', 'region']) {
      const policy = named('NetworkPolicy', component)?.spec
      const [chosen] = selects(policy.podSelector.matchLabels)
      expect(chosen?.component).toBe(component)
      expect(policy.ingress[0].ports[0].port, component).toBe(chosen?.container.ports?.[0]?.name)
    }
    const backend = named('Ingress', 'console')?.spec.rules[0].http.paths[0].backend.service
    expect(named('Service', backend.name)?.spec.ports[0].name).toBe(backend.port.name)
  })

  // A path of the ingress may be spelled in many ways, and its calls may seem to come from a node.
  it('let the monitoring alone reach the figures, and the ingress controller alone say who calls', () => {
    const [api] = workloads
    const ports = api?.container.ports?.map(({ name, containerPort }) => [name, String(containerPort)])
    expect(ports).toEqual([
      ['http', '8080'],
      ['health', api?.settings.HEALTH_PORT],
    ])
    expect(named('Service', 'api')?.spec.ports.map(({ targetPort }: { targetPort: string }) => targetPort)).toEqual([
      'http',
    ])
    const from = (namespace: string, port: string) => ({
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } }],
      ports: [{ protocol: 'TCP', port }],
    })
    expect(named('NetworkPolicy', 'api')?.spec.ingress).toEqual([
      from('haproxy-controller', 'http'),
      from('monitoring', 'health'),
    ])
    expect(named('NetworkPolicy', 'worker')?.spec.ingress).toEqual([from('monitoring', 'health')])
  })

  it('let each of them send traces', () => {
    const senders = ofKind('NetworkPolicy').flatMap(({ spec }) => {
      const reachesCollector = (spec.egress ?? []).some(({ ports = [] }: { ports?: { port: number }[] }) =>
        ports.some(({ port }) => port === 4318),
      )
      const { matchLabels, matchExpressions = [] } = spec.podSelector
      return reachesCollector
        ? [
            ...Object.values(matchLabels ?? {}),
            ...matchExpressions.flatMap(({ values }: { values: string[] }) => values),
          ]
        : []
    })
    expect(senders.toSorted()).toEqual(['api', 'region', 'worker'])
  })

  it('of the two regions differ in their number alone', async () => {
    const [one, two] = await Promise.all(
      ['region-1', 'region-2'].map((name) => readFile(join(deploy, `kubernetes/${name}.yaml`), 'utf8')),
    )
    expect(two).toBe(one?.replaceAll('region-1', 'region-2'))
  })

  it('are all in the kustomization', async () => {
    const folder = join(deploy, 'kubernetes')
    const { resources } = parse(await readFile(join(folder, 'kustomization.yaml'), 'utf8')) as { resources: string[] }
    const files = (await readdir(folder)).filter((name) => !['kustomization.yaml', 'secrets.yaml'].includes(name))
    expect(resources.toSorted()).toEqual(files.map((name) => name.replace('.example', '')).toSorted())
  })
})

describe('the proxy', () => {
  const pathOf = ({ path }: { path: string }) => path.replaceAll(/:\w+/g, 'c0ffee')

  it('repeats the calls that honour an Idempotency-Key, and no other call that changes something', async () => {
    const lines = (await readFile(join(deploy, 'proxy/starts-operation.lst'), 'utf8')).trim().split('\n')
    const isListed = (route: Route) => lines.some((line) => new RegExp(line).test(pathOf(route)))
    for (const [name, route] of Object.entries<Route>(routes).filter(([, { method }]) => method !== 'GET'))
      expect(isListed(route), name).toBe(honoursKey(route))
  })

  it('repeats no download, whose ticket counts once', async () => {
    const config = await readFile(join(deploy, 'proxy/haproxy.cfg'), 'utf8')
    const ticket = new RegExp(/^ *acl ticket path_reg (\S+)$/m.exec(config)?.[1] ?? '^$')
    const withTicket = Object.entries<Route>(routes).filter(([, { path }]) => path.includes(':ticket'))
    expect(withTicket.length).toBeGreaterThan(3)
    for (const [name, route] of withTicket) expect(pathOf(route), name).toMatch(ticket)
  })

  it('gives uploads the time to be looked through, however their path ends, and so does the ingress', async () => {
    const config = await readFile(join(deploy, 'proxy/haproxy.cfg'), 'utf8')
    const [, upload = '^$'] = /^ *acl upload path_reg (\S+)$/m.exec(config) ?? []
    const uploads = Object.values<Route>(routes).flatMap(({ path, upload: takes }) =>
      takes === undefined ? [] : [path],
    )
    expect(uploads.length).toBeGreaterThan(2)
    for (const path of uploads) for (const end of ['', '/']) expect(path + end).toMatch(new RegExp(upload))
    expect(config.split(`set-timeout server 30m if { path_reg ${upload} }`)).toHaveLength(3)
    const ingress = (await readManifests()).find(({ metadata }) => metadata.name === 'uploads')
    const paths: string[] = ingress?.spec.rules[0].http.paths.map(({ path }: { path: string }) => path)
    expect(paths.toSorted()).toEqual(uploads.toSorted())
  })
})

describe('the alarms', () => {
  const ruleTests = ['alerts.test.yaml', 'backup-alerts.test.yaml']

  // shows: deploy-alerts
  it('of docs/operations.md each have a rule, and each rule is seen to fire and to be silent', async () => {
    const page = await readFile(join(repository, 'docs/operations.md'), 'utf8')
    const [, section = ''] = /^## Health and alarms$(.*?)^## /ms.exec(page) ?? []
    const rules = await alertRules()
    const inRules = figuresIn(rules.map(({ expr }) => expr).join('\n'))
    // What stands in the first column of the table of figures.
    const alarms = [...section.matchAll(/^\| (`(?:roomkeeper|up).*?) \|/gm)].flatMap(([, cell = '']) => figuresIn(cell))
    expect(alarms.length).toBeGreaterThan(9)
    expect(alarms.filter((name) => !inRules.includes(name))).toEqual([])
    const texts = await Promise.all(ruleTests.map((name) => readFile(join(deploy, 'prometheus', name), 'utf8')))
    type RuleTests = { tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[] }
    const cases = texts
      .flatMap((text) => (parse(text) as RuleTests).tests)
      .flatMap(({ alert_rule_test }) => alert_rule_test)
    for (const { alert } of rules) {
      const expected = cases.filter(({ alertname }) => alertname === alert).map(({ exp_alerts }) => exp_alerts.length)
      expect([Math.min(...expected), Math.max(...expected) > 0], alert).toEqual([0, true])
    }
  })

  // shows: deploy-dashboard
  it('and all figures that the page names are on the dashboard', async () => {
    const page = await readFile(join(repository, 'docs/operations.md'), 'utf8')
    const rules = (await alertRules()).map(({ expr }) => expr)
    const shown = figuresIn((await dashboardQueries()).join('\n'))
    // `roomkeeper_http_…` stands for several.
    const named = figuresIn([page, ...rules].join('\n')).filter((name) => !name.endsWith('_'))
    expect(named.filter((name) => !shown.includes(name))).toEqual([])
  })

  it.skipIf(!existsSync('/usr/bin/promtool'))(
    'are understood by Prometheus, as are the queries of the dashboard',
    async () => {
      const queries = (await dashboardQueries()).map((expr, index) => ({ record: `query:${index}`, expr }))
      const file = join(dir, 'queries.yaml')
      await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: queries }] }))
      const prometheus = join(deploy, 'prometheus')
      await run('promtool', ['check', 'rules', join(prometheus, 'alerts.yaml'), file])
      await run('promtool', ['check', 'config', join(prometheus, 'prometheus.yml')])
      await run('promtool', ['test', 'rules', ...ruleTests.map((name) => join(prometheus, name))])
    },
  )
})
