/** Locations, with access keys, in the object stores that regions read and write themselves. */
import { fieldError, type ObjectStoreSource } from '@roomkeeper/contract'
import type { ObjectStoreLocation } from '@roomkeeper/region-protocol'
import {
  asObjectStoreRefusal,
  type ConfiguredObjectStore,
  connectObjectStore,
  removeObject,
} from '#platform/object-store.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { Secret } from '#platform/secrets.ts'

export interface ObjectStore {
  /** @param key relative to the prefix of OBJECT_STORE_URI. @throws Refusal `object-store-not-set` */
  configuredLocation(key: string): ObjectStoreLocation
  /**
   * The location of a backup that an operator names. Without access keys in the request, the configured ones are used,
   * but only for the configured bucket.
   * @throws Refusal `invalid-input`
   */
  locationOf(source: ObjectStoreSource): ObjectStoreLocation
  /**
   * The location of an `s3://` URI in the configured bucket. @throws Refusal `object-store-not-set` if the URI names
   * another bucket
   */
  locationOfUri(location: string): ObjectStoreLocation
  /** Succeeds even if the object does not exist. @throws Refusal `object-store-refused` */
  remove(object: ObjectStoreLocation): Promise<void>
}

/** @param configured null if no object store is configured */
export function createObjectStore(configured: ConfiguredObjectStore | null): ObjectStore {
  const own = configured?.location ?? null
  const withConfiguredKeys = (bucket: string, key: string): ObjectStoreLocation => {
    if (configured === null || own?.bucket !== bucket) throw refuse('object-store-not-set')
    const { region, accessKey, secretKey } = configured.access
    return { ...addressOf(configured, region, bucket, key), accessKey, secretKey: secretKey.reveal(), sessionToken: '' }
  }
  return {
    configuredLocation: (key) => withConfiguredKeys(own?.bucket ?? '', (own?.prefix ?? '') + key),
    locationOfUri(location) {
      const { bucket, key } = parseLocation(location)
      return withConfiguredKeys(bucket, key)
    },
    locationOf(source) {
      const { bucket, key } = parseLocation(source.backupLocationPath)
      if (source.bucket !== '' && source.bucket !== bucket)
        throw refuseInput([fieldError('bucket', 'bucket-of-other-uri')])
      const { accessKey, secretKey, sessionToken } = source
      if (accessKey === '' && secretKey === '' && sessionToken === '') {
        if (own?.bucket !== bucket) throw refuseInput([fieldError('accessKey', 'keys-missing')])
        return withConfiguredKeys(bucket, key)
      }
      if (accessKey === '') throw refuseInput([fieldError('accessKey', 'access-key-missing')])
      if (secretKey === '') throw refuseInput([fieldError('secretKey', 'secret-key-missing')])
      return { ...addressOf(configured, source.region, bucket, key), accessKey, secretKey, sessionToken }
    },
    async remove(object) {
      const client = clientFor(object)
      try {
        await removeObject(client, { Bucket: object.bucket, Key: object.key })
      } catch (error) {
        throw asObjectStoreRefusal(error, 'of-object-store')
      } finally {
        client.destroy()
      }
    },
  }
}

export function clientFor(object: ObjectStoreLocation) {
  return connectObjectStore({
    endpoint: object.endpoint,
    region: object.region,
    accessKey: object.accessKey,
    secretKey: new Secret(object.secretKey),
    ...(object.sessionToken === '' ? {} : { sessionToken: new Secret(object.sessionToken) }),
  })
}

function addressOf(configured: ConfiguredObjectStore | null, region: string, bucket: string, key: string) {
  const endpoint = configured?.access.endpoint ?? `https://s3.${region}.amazonaws.com`
  return { endpoint, region, bucket, key }
}

/** Refuses keys with `.` or `..`, which could lead into other buckets. */
function parseLocation(location: string): { bucket: string; key: string } {
  const [, bucket, key] = /^s3:\/\/([a-z0-9.-]{3,63})\/(\S+)$/.exec(location) ?? []
  const climbs = key === undefined || key.split('/').some((step) => step === '.' || step === '..')
  if (bucket === undefined || /^\.+$/.test(bucket) || climbs)
    throw refuseInput([fieldError('backupLocationPath', 's3-uri-invalid')])
  return { bucket, key }
}
