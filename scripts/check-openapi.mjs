/** Lints the OpenAPI documents, that of the server and that of the region protocol. Warnings fail the check as errors do. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeApi } from '../apps/server/src/app/openapi/describe-api.ts'
import { environment, ownNode, root } from './prepare.mjs'
import { describeRegion } from './region-pages/describe-region.mjs'

const folder = mkdtempSync(join(tmpdir(), 'roomkeeper-openapi-'))
try {
  lint('operator.json', describeApi('/'))
  lint('region.json', describeRegion().document)
} finally {
  rmSync(folder, { recursive: true })
}

function lint(name, described) {
  const document = join(folder, name)
  writeFileSync(document, JSON.stringify(described, null, 2))
  const command = [`${root}/node_modules/@redocly/cli/bin/cli.js`, 'lint', document, '--extends', 'recommended']
  const env = { ...environment, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const json = spawnSync(ownNode, [...command, '--format', 'json'], { env, encoding: 'utf8' })
  const { errors, warnings } = JSON.parse(json.stdout).totals
  if (errors + warnings === 0) return
  spawnSync(ownNode, [...command, '--max-problems', '20'], { env, stdio: 'inherit' })
  process.exitCode = 1
}
