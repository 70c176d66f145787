/** Places in object stores that regions write and read by themselves, and who has the keys to them. */
import { fieldError, type ObjectStoreSource } from '@roomkeeper/contract'
import type { ObjectStorePlace } from '@roomkeeper/region-protocol'
import { asObjectStoreRefusal, type ConfiguredObjectStore, connectObjectStore } from '#platform/object-store.ts'
import { removeObject } from '#platform/one-object.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { Secret } from '#platform/secrets.ts'

export interface ObjectStore {
  /** @param key under the prefix of OBJECT_STORE_URI. @throws Refusal `object-store-not-set` */
  configuredPlace(key: string): ObjectStorePlace
  /**
   * Where the backup is that an operator names, with the keys that came with it, or else the configured ones, which
   * open only the configured bucket.
   * @throws Refusal `invalid-input`
   */
  placeOf(source: ObjectStoreSource): ObjectStorePlace
  /** Of an address in the configured bucket. @throws Refusal `object-store-not-set` when it is in another */
  placeOfLocation(location: string): ObjectStorePlace
  /** Also when nothing is there. @throws Refusal `object-store-refused` */
  remove(place: ObjectStorePlace): Promise<void>
}

/** @param configured null: none is set */
export function createObjectStore(configured: ConfiguredObjectStore | null): ObjectStore {
  const ours = configured?.place ?? null
  const withKeysOfOurs = (bucket: string, key: string): ObjectStorePlace => {
    if (configured === null || ours?.bucket !== bucket) throw refuse('object-store-not-set')
    const { region, accessKey, secretKey } = configured.access
    return { ...addressOf(configured, region, bucket, key), accessKey, secretKey: secretKey.reveal(), sessionToken: '' }
  }
  return {
    configuredPlace: (key) => withKeysOfOurs(ours?.bucket ?? '', (ours?.prefix ?? '') + key),
    placeOfLocation(location) {
      const { bucket, key } = parseLocation(location)
      return withKeysOfOurs(bucket, key)
    },
    placeOf(source) {
      const { bucket, key } = parseLocation(source.backupLocationPath)
      if (source.bucket !== '' && source.bucket !== bucket)
        throw refuseInput([fieldError('bucket', 'bucket-of-other-uri')])
      const { accessKey, secretKey, sessionToken } = source
      if (accessKey === '' && secretKey === '' && sessionToken === '') {
        if (ours?.bucket !== bucket) throw refuseInput([fieldError('accessKey', 'keys-missing')])
        return withKeysOfOurs(bucket, key)
      }
      if (accessKey === '') throw refuseInput([fieldError('accessKey', 'access-key-missing')])
      if (secretKey === '') throw refuseInput([fieldError('secretKey', 'secret-key-missing')])
      return { ...addressOf(configured, source.region, bucket, key), accessKey, secretKey, sessionToken }
    },
    async remove(place) {
      const client = connectPlace(place)
      try {
        await removeObject(client, { Bucket: place.bucket, Key: place.key })
      } catch (error) {
        throw asObjectStoreRefusal(error, 'of-object-store')
      } finally {
        client.destroy()
      }
    },
  }
}

export function connectPlace(place: ObjectStorePlace) {
  return connectObjectStore({
    endpoint: place.endpoint,
    region: place.region,
    accessKey: place.accessKey,
    secretKey: new Secret(place.secretKey),
    ...(place.sessionToken === '' ? {} : { sessionToken: new Secret(place.sessionToken) }),
  })
}

function addressOf(configured: ConfiguredObjectStore | null, region: string, bucket: string, key: string) {
  const endpoint = configured?.access.endpoint ?? `https://s3.${region}.amazonaws.com`
  return { endpoint, region, bucket, key }
}

/** Keys with steps up could lead into other buckets. */
function parseLocation(location: string): { bucket: string; key: string } {
  const [, bucket, key] = /^s3:\/\/([a-z0-9.-]{3,63})\/(\S+)$/.exec(location) ?? []
  const climbs = key === undefined || key.split('/').some((step) => step === '.' || step === '..')
  if (bucket === undefined || /^\.+$/.test(bucket) || climbs)
    throw refuseInput([fieldError('backupLocationPath', 's3-uri-invalid')])
  return { bucket, key }
}
