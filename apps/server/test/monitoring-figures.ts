/** The queries of the alert rules and of the dashboard, and the figures that they name. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from '@roomkeeper/dev-env'
import { parse } from 'yaml'

export interface AlertRule {
  alert: string
  expr: string
}

export async function alertRules(): Promise<AlertRule[]> {
  const text = await readFile(join(repository, 'deploy/prometheus/alerts.yaml'), 'utf8')
  const { groups } = parse(text) as { groups: { rules: AlertRule[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

/** The queries of the dashboard as Prometheus gets them, with values for Grafana's variables. */
export async function dashboardQueries(): Promise<string[]> {
  const text = await readFile(join(repository, 'deploy/grafana/dashboard.json'), 'utf8')
  const { panels } = JSON.parse(text) as { panels: { targets?: { expr: string }[] }[] }
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  return queries.map((expr) => expr.replaceAll('$__rate_interval', '2m').replaceAll('$job', '.+'))
}

/** Without those that Prometheus makes itself (`up`), and without the endings of a histogram. */
export function figuresIn(text: string): string[] {
  const named = text.match(/\b(?:roomkeeper|process|nodejs)_[a-z0-9_]+/g) ?? []
  return [...new Set(named.map((name) => name.replace(/(?<=_seconds)_(?:bucket|count|sum)$/, '')))]
}
