/** `npm run secrets:rotate`: see docs/operations.md. Settings as for the server, with SECRET_KEY and SECRET_KEY_OLD. */

import { startEmbeddedPostgres } from '@roomkeeper/embedded-postgres-server'
import { rotateSecrets } from '#app/rotate-secrets.ts'
import { WrongSetting } from '#app/setting-forms.ts'
import { readSettings, type Settings } from '#app/settings.ts'
import { openDatabase } from '#platform/database.ts'
import { createLog } from '#platform/log.ts'
import { createSecretBox } from '#platform/secrets.ts'

try {
  await rotate(readSettings(process.env))
} catch (error) {
  console.error(error instanceof Error ? error.message : 'unknown error')
  process.exitCode = error instanceof WrongSetting ? 2 : 1
}

// Not by itself: with connections just closed, Node 24 was seen to turn for ever instead of ending.
process.exit()

async function rotate(settings: Settings): Promise<void> {
  if (settings.SECRET_KEY_OLD === undefined)
    throw new WrongSetting('SECRET_KEY_OLD is missing: it takes the former SECRET_KEY; SECRET_KEY takes the new one.')
  const { DATABASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: level } = settings
  const postgres = url === undefined ? await startEmbeddedPostgres({ dataDir, log: createLog(level) }) : null
  const database = openDatabase(url ?? postgres?.url ?? '', {
    timeoutSeconds: settings.DATABASE_TIMEOUT_SECONDS,
    patient: true,
  })
  try {
    const secrets = createSecretBox(settings.SECRET_KEY, settings.SECRET_KEY_OLD)
    const { regions, databaseBackups, webhooks, operations, roomRecords } = await rotateSecrets(database, secrets)
    console.log(
      `Sealed anew: regions ${regions}, database backups ${databaseBackups}, webhooks ${webhooks}, operations ${operations}. Records of project rooms that are sent to their regions anew: ${roomRecords}.`,
    )
  } finally {
    await database.close()
    await postgres?.stop()
  }
}
