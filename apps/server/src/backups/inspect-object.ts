/** Inspects a backup in an object store, reading only small parts of it. */
import { Readable } from 'node:stream'
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3'
import type { BackupContents } from '@roomkeeper/contract'
import { type ObjectStoreLocation, readWithLimits, storeErrorCode } from '@roomkeeper/region-protocol'
import { s3 } from '#platform/load-when-used.ts'
import { asObjectStoreRefusal } from '#platform/object-store.ts'
import { refuse, refuseFile } from '#platform/refuse.ts'
import { inspectBackup } from './archive/inspect-backup.ts'
import { clientFor } from './object-store.ts'

/** @throws Refusal `object-store-refused`, and those of `inspectBackup` */
export async function inspectObject(location: ObjectStoreLocation): Promise<BackupContents> {
  const client = clientFor(location)
  try {
    const size = await sizeOf(client, location)
    const open = async (range: { start: number; end: number }) => contentOf(await read(client, location, range), range)
    return (await inspectBackup({ size, open })).contents
  } finally {
    client.destroy()
  }
}

/** Reads a few bytes to get the size, because a store that refuses a HEAD request does not say why. @throws Refusal */
async function sizeOf(client: S3Client, location: ObjectStoreLocation): Promise<number> {
  const range = { start: 0, end: 3 }
  const answer = await read(client, location, range)
  const first = Buffer.concat(await contentOf(answer, range).toArray()).toString('latin1')
  if (first === 'PK\x05\x06') throw refuse('no-upload-content')
  if (first !== 'PK\x03\x04') throw refuseFile('wrong-file', 'zip-none')
  return Number(/\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1] ?? answer.ContentLength ?? 0)
}

async function read(
  client: S3Client,
  { bucket, key }: ObjectStoreLocation,
  { start, end }: { start: number; end: number },
): Promise<GetObjectCommandOutput> {
  const wanted = new (s3().GetObjectCommand)({ Bucket: bucket, Key: key, Range: `bytes=${start}-${end}` })
  return client.send(wanted).catch((error: unknown) => {
    const isEmpty = storeErrorCode(error) === 'InvalidRange'
    throw isEmpty ? refuseFile('wrong-file', 'zip-none') : asObjectStoreRefusal(error, 'of-object-store')
  })
}

function contentOf({ Body }: GetObjectCommandOutput, { start, end }: { start: number; end: number }): Readable {
  if (Body instanceof Readable) return Readable.from(bytesOf(Body, end - start + 1), { objectMode: false })
  throw asObjectStoreRefusal(new Error('It answered without content.'), 'of-object-store')
}

/** Passes on at most as many bytes as were requested, and gives up on a store that sends more or stalls. */
async function* bytesOf(body: Readable, most: number): AsyncGenerator<Uint8Array> {
  try {
    yield* readWithLimits(body, { most })
  } catch (error) {
    throw asObjectStoreRefusal(error, 'of-object-store')
  }
}
