/** `rooms restore`: from a file, from a backup in the backup store, or from an object store. */
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ObjectStoreSource, objectStoreSource } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { oneOf } from '#arguments.ts'
import { fetchBackup } from '#backups/index.ts'
import type { Cli, Run } from '#cli.ts'
import type { Server } from '#connection/connect.ts'
import { sendFile } from '#connection/send-file.ts'
import { Failure, usageFailure } from '#failure.ts'
import { finishStart } from '#operations/finish-start.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { confirmOrFail } from '#terminal/ask.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { unlessStopped } from '#terminal/unless-stopped.ts'

type StoreRegion = ObjectStoreSource['region']

interface RestoreOptions extends WaitOptions {
  file?: string
  backup?: string
  s3Uri?: string
  s3Region?: StoreRegion
  confirmOtherRoom?: boolean
  yes?: boolean
}

export function addRestoreRoom(rooms: Command, run: Run): void {
  const command = rooms
    .command('restore <room>')
    .description('Put a backup in the place of what a suspended project room holds')
    .option('--file <file>', 'a backup on this machine')
    .option('--backup <backup>', "a backup in the backup store, by its id: see 'roomkeeper backups list'")
    .option('--s3-uri <uri>', 'a backup in an object store, s3://bucket/path, which the region reads by itself')
    .option('--s3-region <name>', "the object store's region", oneOf(objectStoreSource.shape.region.options))
    .option('--confirm-other-room', 'accept a backup of a room with another name')
    .option('-y, --yes', 'do not ask')
  addWaitOptions(command)
    .addHelpText(
      'after',
      `
Environment:
  ROOMKEEPER_S3_ACCESS_KEY, ROOMKEEPER_S3_SECRET_KEY, ROOMKEEPER_S3_SESSION_TOKEN
      of --s3-uri; without them the server takes those of its own object store

Examples:
  roomkeeper rooms restore fleet1 --backup "$(roomkeeper backups list fleet1 -l 1 -q)" --wait
  roomkeeper rooms restore fleet1 --file fleet1.zip --yes`,
    )
    .action(
      run(async (cli, room: string, options: RestoreOptions) => {
        checkSource(options)
        const server = await cli.connect()
        const question = `Replace everything that ${room} holds?`
        await confirmOrFail(cli.terminal, { question, yes: options.yes === true })
        await finishStart(cli, server, options, {
          doing: `Restoring ${room}`,
          done: `${room} was restored`,
          projectRoomName: room,
          operationId: await startRestore(cli, server, room, options),
        })
      }),
    )
}

function checkSource({ file, backup, s3Uri, s3Region }: RestoreOptions): void {
  const given = [file, backup, s3Uri].filter((each) => each !== undefined)
  if (given.length !== 1) throw usageFailure('Please give one of --file, --backup and --s3-uri.')
  if (s3Uri !== undefined && s3Region === undefined) throw usageFailure('Please give --s3-region, too.')
}

async function startRestore(cli: Cli, server: Server, room: string, options: RestoreOptions): Promise<string> {
  const { file, backup, s3Uri, s3Region } = options
  if (file !== undefined) return restoreFile(server, room, { path: file, ...options })
  if (s3Uri !== undefined && s3Region !== undefined)
    return restoreFromStore(cli.terminal.env, server, room, s3Uri, s3Region)
  return withTemporaryFolder(cli.terminal, async (folder, signal) => {
    const stoppable = server.within(signal)
    // Not the room's name: that of an argument may lead out of the folder.
    const path = join(folder, 'backup.zip')
    cli.terminal.note('Fetching the backup …')
    await fetchBackup(cli, stoppable, backup ?? '', path)
    return restoreFile(stoppable, room, { path, ...options, signal })
  })
}

/** The folder is gone afterwards, also after Ctrl-C: it may hold gigabytes. */
async function withTemporaryFolder<Result>(
  terminal: Terminal,
  use: (folder: string, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const interrupted = () => new Failure('interrupted', 'Stopped; nothing was changed.')
  return unlessStopped(terminal, { interrupted }, async (signal) => {
    const base = terminal.env.TMPDIR || tmpdir()
    const folder = await mkdtemp(join(base, 'roomkeeper-')).catch((error: Error) => {
      throw usageFailure(`No folder can be made for the file: ${error.message}`, 'TMPDIR names another place.')
    })
    try {
      return await use(folder, signal)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

type GivenFile = Pick<RestoreOptions, 'confirmOtherRoom'> & { path: string; signal?: AbortSignal }

async function restoreFile(server: Server, room: string, given: GivenFile): Promise<string> {
  const { tmpFileName } = await sendFile(server, given.path, given.signal)
  const { body } = await server.call('restoreRoom', {
    body: { projectRoom: { tenantName: room }, tmpFileName, confirmOtherRoom: given.confirmOtherRoom === true },
  })
  return body.operationId
}

async function restoreFromStore(
  env: NodeJS.ProcessEnv,
  server: Server,
  room: string,
  uri: string,
  region: StoreRegion,
): Promise<string> {
  const { ROOMKEEPER_S3_ACCESS_KEY, ROOMKEEPER_S3_SECRET_KEY, ROOMKEEPER_S3_SESSION_TOKEN } = env
  const { body } = await server.call('restoreRoomFromObjectStore', {
    body: {
      isD2O: true,
      backupLocationPath: uri,
      projectRoomName: room,
      region,
      accessKey: ROOMKEEPER_S3_ACCESS_KEY ?? '',
      secretKey: ROOMKEEPER_S3_SECRET_KEY ?? '',
      sessionToken: ROOMKEEPER_S3_SESSION_TOKEN ?? '',
    },
  })
  return body.operationId
}
