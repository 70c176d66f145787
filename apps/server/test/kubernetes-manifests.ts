/** The manifests of deploy/kubernetes, read as they are; `secrets.example.yaml` stands for `secrets.yaml`. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from '@roomkeeper/dev-env'
import type { Container, PodSpec } from 'kubernetes-types/core/v1.js'
import { parseAllDocuments } from 'yaml'

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own; tsc checks them all, see deploy.test.ts
  spec: any
  data?: Record<string, string>
  stringData?: Record<string, string>
}

/** A Deployment or StatefulSet. */
export interface Workload {
  name: string
  component: string
  pod: PodSpec
  container: Container
  labels: Record<string, string>
  selector: Record<string, string>
  /** Its environment, with what its ConfigMap and Secret hold. */
  settings: Record<string, string>
}

export async function readManifests(): Promise<Manifest[]> {
  const folder = join(repository, 'deploy/kubernetes')
  const names = (await readdir(folder)).filter((name) => !['kustomization.yaml', 'secrets.yaml'].includes(name))
  const texts = await Promise.all(names.toSorted().map((name) => readFile(join(folder, name), 'utf8')))
  return texts.flatMap((text) => parseAllDocuments(text, { merge: true }).map((each) => each.toJS()))
}

export function workloadsOf(manifests: readonly Manifest[]): Workload[] {
  const order = ['api', 'worker', 'region-1', 'region-2']
  const found = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
  return found
    .map((manifest) => workloadOf(manifest, manifests))
    .toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
}

function workloadOf({ metadata, spec }: Manifest, manifests: readonly Manifest[]): Workload {
  const pod: PodSpec = spec.template.spec
  const [container] = pod.containers
  if (container === undefined) throw new Error(`${metadata.name} has no container.`)
  const settings: Record<string, string> = {}
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    const name = (configMapRef ?? secretRef)?.name
    const kind = configMapRef === undefined ? 'Secret' : 'ConfigMap'
    const source = manifests.find((each) => each.kind === kind && each.metadata.name === name)
    if (source === undefined) throw new Error(`There is no ${kind} ${name}.`)
    Object.assign(settings, source.data, source.stringData)
  }
  for (const { name, value = '' } of container.env ?? []) settings[name] = value
  return {
    name: metadata.name,
    component: spec.template.metadata.labels['app.kubernetes.io/component'],
    pod,
    container,
    labels: spec.template.metadata.labels,
    selector: spec.selector.matchLabels,
    settings,
  }
}
