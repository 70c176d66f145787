/** `rooms restore`: from a file, from a backup in the backup store, or from an object store. */
import { type ObjectStoreSource, objectStoreSource } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { oneOf } from '#arguments.ts'
import type { Run } from '#cli.ts'
import type { Server } from '#connection/connect.ts'
import { sendFile } from '#connection/send-file.ts'
import { usageFailure } from '#failure.ts'
import { finishStart } from '#operations/finish-start.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { confirmOrFail } from '#terminal/ask.ts'

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
    .description('Replace the content of a suspended project room with a backup')
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
        const question = `Replace the whole content of ${room}?`
        await confirmOrFail(server, { question, yes: options.yes === true })
        await finishStart(cli, server, options, {
          doing: `Restoring ${room}`,
          done: `${room} was restored`,
          projectRoomName: room,
          operationId: await startRestore(cli.terminal.env, server, room, options),
        })
      }),
    )
}

function checkSource({ file, backup, s3Uri, s3Region, confirmOtherRoom }: RestoreOptions): void {
  const given = [file, backup, s3Uri].filter((each) => each !== undefined)
  if (given.length !== 1) throw usageFailure('Please give one of --file, --backup and --s3-uri.')
  if (s3Uri !== undefined && s3Region === undefined) throw usageFailure('Please give --s3-region, too.')
  if (s3Uri === undefined && s3Region !== undefined) throw usageFailure('--s3-region belongs to --s3-uri.')
  if (s3Uri !== undefined && confirmOtherRoom === true)
    throw usageFailure('--confirm-other-room belongs to --file or --backup: with --s3-uri, the room is not compared.')
}

async function startRestore(
  env: NodeJS.ProcessEnv,
  server: Server,
  room: string,
  options: RestoreOptions,
): Promise<string> {
  const { file, backup: backupId, s3Uri, s3Region } = options
  if (s3Uri !== undefined && s3Region !== undefined) return restoreFromStore(env, server, room, s3Uri, s3Region)
  const from = file === undefined ? { backupId } : { tmpFileName: (await sendFile(server, file)).tmpFileName }
  const { body } = await server.call('restoreRoom', {
    body: { projectRoom: { tenantName: room }, ...from, confirmOtherRoom: options.confirmOtherRoom === true },
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
