/** The settings of uploads, of the backup store, and of the object store that regions write backups to. */
import { accessSync, constants, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { FileStoreLocation } from '#platform/file-store/create-file-store.ts'
import type { ConfiguredObjectStore } from '#platform/object-store.ts'
import { Secret } from '#platform/secrets.ts'
import { hasCode } from '#platform/system-error.ts'
import { flag, type Setting, WrongSetting, wholeNumber } from './setting-forms.ts'

const bytesOfUnit = { B: 1, MB: 1e6, GB: 1e9, MiB: 2 ** 20, GiB: 2 ** 30 } as const
/** In bytes, at most 300 GiB: a larger file would have more parts than an object store accepts. */
const amountOfBytes = z
  .string()
  .regex(/^\d{1,12} ?(B|MB|GB|MiB|GiB)?$/)
  .transform((text) => Number.parseInt(text, 10) * bytesOfUnit[unitOf(text)])
  .pipe(
    z
      .int()
      .min(1)
      .max(300 * 2 ** 30),
  )
const bucketPattern = /^s3:\/\/([a-z0-9.-]{3,63})(?:\/(.*))?$/

export const storeVariables = {
  UPLOAD_LIMIT: {
    form: amountOfBytes.default(20 * 2 ** 30),
    takes: 'a number of bytes, or an amount such as 500MiB or 20GiB, up to 300GiB',
    about: 'The largest upload.',
    unset: '`20GiB`',
  },
  BACKUP_STORE: {
    form: z
      .string()
      .refine((text) => !text.includes('://') || bucketPattern.test(text))
      .optional(),
    takes: 'a folder or s3://bucket/prefix',
    about: '[The backup store](backup-store.md).',
    unset: 'DATA_DIR/backups',
  },
  DATA_SHARED: {
    form: flag.default(false),
    takes: '0 or 1',
    about: '1: all processes share DATA_DIR and the folder of BACKUP_STORE.',
  },
  KEEP_DELETED_DAYS: {
    form: wholeNumber(0, 3650).default(30),
    takes: 'a number of days from 0 to 3650',
    about: 'How long a deleted project room can come back from its last backup. 0: none is taken.',
  },
  OBJECT_STORE_URI: {
    form: z.string().regex(bucketPattern).optional(),
    takes: 's3://bucket/prefix',
    about: 'Where regions write *Backup D2O*.',
  },
  OBJECT_STORE_ENDPOINT: {
    form: z
      .url({ protocol: /^https?$/ })
      .transform((url) => url.replace(/\/$/, ''))
      .optional(),
    takes: 'the URL of an object store that speaks S3',
    about: 'The object store, for OBJECT_STORE_URI and for BACKUP_STORE.',
    unset: 'Amazon S3',
  },
  OBJECT_STORE_REGION: {
    form: z
      .string()
      .regex(/^[a-z0-9-]{1,60}$/)
      .default('us-east-1'),
    takes: 'a region of the object store, such as eu-central-1',
    about: 'The region code of the object store.',
  },
  OBJECT_STORE_ACCESS_KEY: {
    form: z.string().min(1).optional(),
    takes: 'an access key of the object store',
    about: 'Its access key, for OBJECT_STORE_URI and for BACKUP_STORE.',
  },
  OBJECT_STORE_SECRET_KEY: {
    form: z
      .string()
      .min(1)
      .transform((text) => new Secret(text))
      .optional(),
    takes: 'the secret key of OBJECT_STORE_ACCESS_KEY',
    about: 'Its secret key.',
  },
} as const satisfies Record<string, Setting>

type StoreVariables = typeof storeVariables
type StoreSettings = { [Name in keyof StoreVariables]: z.output<StoreVariables[Name]['form']> } & {
  PROCESS: 'all' | 'api' | 'worker' | 'drill'
  DATA_DIR: string
}

/** @throws WrongSetting */
export function checkStoreSettings(settings: StoreSettings): void {
  const given = settings.BACKUP_STORE
  const sharesFiles = settings.PROCESS === 'api' || settings.PROCESS === 'worker'
  if (sharesFiles && !given?.startsWith('s3://') && !settings.DATA_SHARED) {
    throw new WrongSetting(
      `BACKUP_STORE is wrong: with PROCESS=${settings.PROCESS} it takes s3://bucket/prefix, or a folder that all processes share, with DATA_SHARED=1.`,
    )
  }
  const user = given?.startsWith('s3://') ? 'BACKUP_STORE' : settings.OBJECT_STORE_URI && 'OBJECT_STORE_URI'
  for (const name of ['OBJECT_STORE_ACCESS_KEY', 'OBJECT_STORE_SECRET_KEY'] as const) {
    if (user !== undefined && settings[name] === undefined)
      throw new WrongSetting(`${name} is missing: ${user} needs it.`)
  }
  const location = backupStoreOf(settings)
  if (location.kind === 'folder') checkFolder(location.folder, given === undefined)
}

/** A folder of BACKUP_STORE that is not there may be on a disk that is not mounted yet: only its first use makes it. */
function checkFolder(folder: string, isOurs: boolean): void {
  try {
    // The parent folder keeps the usual mode: others may need it, such as the user that PostgreSQL runs as.
    if (isOurs) mkdirSync(dirname(folder), { recursive: true })
    if (isOurs) mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(folder) === folder)
      throw new WrongSetting(`BACKUP_STORE is wrong: the folder ${folder} cannot be written.`)
    checkFolder(dirname(folder), false)
  }
}

/** The store for uploads and backups. */
export function backupStoreOf(settings: StoreSettings): FileStoreLocation {
  const given = settings.BACKUP_STORE ?? join(settings.DATA_DIR, 'backups')
  const [, bucket, prefix = ''] = bucketPattern.exec(given) ?? []
  const store = configuredObjectStore(settings)
  if (bucket === undefined || store === null) return { kind: 'folder', folder: resolve(given) }
  return { kind: 'bucket', bucket, prefix: folderPrefix(prefix), access: store.access }
}

/** Access to the configured object store, and the location of the backups that regions write; null: none is set. */
export function configuredObjectStore(settings: StoreSettings): ConfiguredObjectStore | null {
  const { OBJECT_STORE_ACCESS_KEY: accessKey, OBJECT_STORE_SECRET_KEY: secretKey } = settings
  if (accessKey === undefined || secretKey === undefined) return null
  const [, bucket, prefix = ''] = bucketPattern.exec(settings.OBJECT_STORE_URI ?? '') ?? []
  return {
    access: {
      endpoint: settings.OBJECT_STORE_ENDPOINT ?? null,
      region: settings.OBJECT_STORE_REGION,
      accessKey,
      secretKey,
    },
    location: bucket === undefined ? null : { bucket, prefix: folderPrefix(prefix) },
  }
}

/** Empty, or ends with a slash. */
function folderPrefix(prefix: string): string {
  return prefix.replace(/^\/+|\/+$/g, '').replace(/(?<=.)$/, '/')
}

function unitOf(text: string): keyof typeof bytesOfUnit {
  return (/[A-Za-z]+$/.exec(text)?.[0] ?? 'B') as keyof typeof bytesOfUnit
}
