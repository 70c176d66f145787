/**
 * Who may make which call. This table is written from the documents (the rules' "Who sees and does what", the tables of
 * the wire and the two specifications) and NOT from the contract, so that the contract can be compared with it. A call
 * that the documents do not name belongs to a screen that they do name, and is open to everybody who may use that
 * screen.
 */

export const everyRole = ['CLOUD_SUPPORT', 'CLOUD_SALES', 'CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'] as const
export type EveryRole = (typeof everyRole)[number]

/**
 * One letter for each caller who may make the call and a dash for each who may not, always in this order: not signed in
 * (n), support (s), sales (d, "direct sales"), operator (o), administrator (a), a session that awaits its second factor
 * (2).
 */
type Who = `${'n' | '-'} ${'s' | '-'} ${'d' | '-'} ${'o' | '-'} ${'a' | '-'} ${'2' | '-'}`

interface Sent {
  /** Values for the `:names` in the path. Default: an unknown UUID. */
  params?: Record<string, string>
  query?: Record<string, string>
  json?: object
  /** The name of an uploaded file with wrong content. */
  file?: string
}

/** A call, who may make it, what is sent, and the statuses that callers who may make it get. */
type Row = readonly [call: string, who: Who, sent: Sent, answered: number | readonly number[]]

const projectRoom = 'nosuchroom'
const oneDatabase = { projectRoomName: projectRoom, databaseName: 'main' }
const noSuchTicket = { ticket: 'A'.repeat(43) }
const noSuchUpload = '00000000-0000-4000-8000-00000000000f'
const configuration = { liveMigrationData: { id: 4711 } }

const contacts = {
  customerFirstName: 'Ada',
  customerLastName: 'Lovelace',
  customerEmail: 'owner@example.com',
  companyName: 'Example, Inc.',
  salesmanEmail: 'sales@example.com',
  licenses: { YABD: 1 },
}
/** Names a region that does not exist. */
const newRoom = { tenantName: projectRoom, product: 0, edition: 0, region: 4711, sapNumber: '4711', ...contacts }
const objectStoreBackup = {
  isD2O: true,
  backupLocationPath: 's3://bucket/backup.zip',
  projectRoomName: projectRoom,
  region: 'eu-central-1',
}
const region = {
  regionName: 'nowhere',
  regionIPorURL: 'https://region.example',
  userName: 'superuser',
  password: 'a password',
  passwordSystem: 'another password',
}
const unknownId = '00000000-0000-4000-8000-0000000000b0'
const bulk = { action: 'suspend', selection: { rooms: [projectRoom] } }
const backupPolicy = {
  name: 'Nightly',
  schedule: { every: 'hours', hours: 6 },
  keep: { daily: 7, weekly: 0, monthly: 0 },
}
const token = { name: 'Nightly export', role: 0 }
const webhook = { name: 'Chat', url: 'https://hooks.example/roomkeeper', events: ['room.created'] }
const view = { name: 'Soon over', query: 'expires=30', columns: {} }

const notification = {
  message: '<p>Hello</p>',
  startDate: '2026-01-01T00:00:00.000Z',
  endDate: '2026-01-02T00:00:00.000Z',
}
const newPassword = { newPassword: 'a new password', newPasswordReentered: 'a new password' }
const operator = { email: 'access@example.com', name: 'Access', role: 0 }
const identityProviderAnswer = {
  code: 'a code',
  codeVerifier: 'v'.repeat(43),
  nonce: 'n'.repeat(16),
  redirectUri: 'http://127.0.0.1/project/mfa_okta',
}
/** The first administrator of every test network. */
const credentials = { email: 'admin@localhost', password: 'administrator' }

// biome-ignore format: a table
const rows: readonly Row[] = [
  // Session
  ['POST /api/operator/session',                          'n s d o a 2', { json: credentials }, 200],
  ['PUT /api/operator/session',                           '- s d o a 2', {}, 200],
  ['POST /api/operator/permissions',                      '- s d o a 2', {}, 200],
  ['POST /api/operator/sessions',                         '- s d o a 2', {}, 204],
  ['GET /api/operator/okta',                              'n s d o a 2', {}, 200],
  // 200: the second factor is already complete. 409: there is no identity provider.
  ['POST /api/operator/okta',                             '- s d o a 2', { json: identityProviderAnswer }, [200, 409]],
  ['POST /api/operator/changeOperatorPassword',           '- s d o a -', { json: { oldPassword: 'wrong', ...newPassword } }, 400],
  ['GET /api/operator/operators',                         '- - - - a -', {}, 200],
  ['POST /api/operator/operators',                        '- - - - a -', { json: { ...operator, password: 'a password' } }, 200],
  ['PUT /api/operator/operators/:id',                     '- - - - a -', { json: operator }, 404],
  ['POST /api/operator/operators/:id/confirm',            '- - - - a -', {}, 404],
  ['DELETE /api/operator/operators/:id',                  '- - - - a -', {}, 404],

  // Project rooms
  ['POST /api/operator/get_tenants',                      '- s d o a -', {}, 200],
  ['GET /api/operator/room',                              '- s d o a -', { query: { projectRoom } }, 404],
  ['POST /api/operator/create',                           '- - d o a -', { json: newRoom }, 400],
  ['POST /api/operator/room/duplicate/draft',             '- - d o a -', { json: { projectRoom } }, 404],
  ['POST /api/operator/edit',                             '- - d o a -', { json: { tenantName: projectRoom, version: 1, sapNumberLast: '4712', ...contacts } }, 404],
  ['POST /api/operator/suspend',                          '- - d o a -', { json: { roomName: projectRoom, userNotification: false } }, 404],
  ['POST /api/operator/resume',                           '- - d o a -', { json: { roomName: projectRoom, userNotification: false } }, 404],
  ['POST /api/operator/delete',                           '- - - o a -', { json: { roomName: projectRoom } }, 404],
  ['POST /api/operator/backup',                           '- - - o a -', { query: { projectRoomName: projectRoom, isD2O: 'false' } }, 404],
  ['POST /api/operator/createimport',                     '- - d o a -', { json: { projectRoom: newRoom, tmpFileName: noSuchUpload, productTmpFileName: null } }, 400],
  ['POST /api/operator/createrestore',                    '- - - o a -', { json: { projectRoom: { tenantName: projectRoom }, tmpFileName: noSuchUpload } }, 404],
  ['POST /api/operator/createrestored2o',                 '- - - o a -', { json: objectStoreBackup }, 400],
  ['POST /api/operator/createrestored2o/inspect',         '- - - o a -', { json: objectStoreBackup }, 400],
  ['GET /api/operator/room/licensesInfo',                 '- s d o a -', { query: { projectRoom } }, 404],
  ['GET /api/operator/isRunning/:projectRoomName',        '- s d o a -', { params: { projectRoomName: projectRoom } }, 404],
  ['GET /api/operator/export_tenants',                    '- s d o a -', {}, 200],
  ['POST /api/operator/export_tenants/ticket',            '- s d o a -', { json: { query: {} } }, 200],
  // The ticket says whose session asked for it; apps/server/test/download-tickets.test.ts shows who is refused.
  ['GET /api/operator/export_tenants/download/:ticket',   'n s d o a 2', { params: noSuchTicket }, 404],
  ['GET /api/operator/deletedRooms',                      '- - - o a -', {}, 200],
  ['GET /api/operator/deletedRooms/purged',               '- - - o a -', {}, 200],
  ['POST /api/operator/deletedRooms/:id/restore',         '- - - o a -', {}, 404],
  ['POST /api/operator/deletedRooms/:id/purge',           '- - - o a -', { json: { typedName: 'x' } }, 404],
  ['GET /api/operator/deletedRooms/:id/certificate',      '- - - o a -', {}, 404],
  ['GET /api/operator/deleteUser/:id',                    '- - - o a -', {}, 200],
  ['GET /api/operator/room/backups',                      '- - - o a -', { query: { projectRoom } }, 404],
  ['GET /api/operator/room/backups/removed',              '- - - o a -', {}, 200],
  ['GET /api/operator/room/backups/:id/inspect',          '- - - o a -', {}, 404],
  ['GET /api/operator/room/backups/:id/content',          '- - - o a -', {}, 404],
  ['DELETE /api/operator/room/backups/:id',               '- - - o a -', {}, 404],
  ['POST /api/operator/room/backups/:id/verify',          '- - - o a -', {}, 404],
  ['POST /api/operator/room/backups/:id/ticket',          '- - - o a -', {}, 404],
  // The links of tickets are followed without the header that says whose session it is.
  ['GET /api/operator/download/:ticket',                  'n s d o a 2', { params: noSuchTicket }, 404],
  ['GET /api/operator/operations',                        '- s d o a -', {}, 200],
  ['GET /api/operator/operations/finished',               '- s d o a -', {}, 200],
  ['GET /api/operator/room/history',                      '- s d o a -', { query: { projectRoom } }, 404],
  ['GET /api/operator/activity',                          '- s d o a -', {}, 200],
  ['POST /api/operator/activity/:id/undo',                '- - d o a -', { params: { id: '999999999' } }, 404],
  ['GET /api/operator/failed_rooms',                      '- s d o a -', {}, 200],
  ['GET /api/operator/overview',                          '- s d o a -', {}, 200],
  ['GET /api/operator/statistics',                        '- s d o a -', {}, 200],
  ['GET /api/operator/events',                            '- s d o a -', {}, 200],

  // Databases and files
  ['GET /api/operator/room/database',                     '- - - o a -', { query: { projectRoom } }, 404],
  ['POST /api/operator/room/database',                    '- - - o a -', { json: oneDatabase }, 404],
  ['POST /api/operator/room/database/backup',             '- - - o a -', { json: oneDatabase }, 404],
  ['POST /api/operator/room/database/restore',            '- - - o a -', { json: oneDatabase }, 404],
  ['POST /api/operator/room/database/import',             '- - - o a -', { json: { dbName: 'main', dbPassword: 'x', file: noSuchUpload, roomName: projectRoom } }, 404],
  ['POST /api/operator/import',                           '- - d o a -', { file: 'room.zip' }, 422],
  ['POST /api/operator/imports',                          '- - d o a -', { file: 'room.zip' }, 422],
  ['POST /api/operator/import/Database',                  '- - - o a -', { file: 'main.adb' }, 422],

  // Regions, live migration, monitoring
  ['GET /api/operator/regions',                           '- s d o a -', {}, 200],
  ['POST /api/operator/regions',                          '- - - o a -', { json: {} }, 400],
  ['POST /api/operator/region',                           '- - - o a -', { json: { id: 4711, ...region } }, 404],
  ['PUT /api/operator/region',                            '- - - o a -', { json: { id: 4711 } }, 404],
  ['GET /api/operator/regions/source',                    '- s d o a -', {}, 200],
  ['POST /api/operator/region/testConnection',            '- - - o a -', { json: { id: 4711 } }, 404],
  // 409: the update that the previous caller started is still running.
  ['POST /api/operator/updatesystemdball',                '- - - o a -', {}, [202, 409]],
  ['POST /api/operator/updatesystemdb',                   '- - - o a -', { json: { regionId: 4711 } }, 404],
  ['GET /api/operator/livemigration',                     '- - - o a -', {}, 200],
  ['GET /api/operator/livemigration/:id',                 '- - - o a -', { params: { id: '4711' } }, 404],
  ['POST /api/operator/livemigration',                    '- - - o a -', { json: { sourceRegion: 4711, targetRegion: 4712, routing: false, parallel: false } }, 400],
  ['PUT /api/operator/livemigration',                     '- - - o a -', { json: { id: 4711 } }, 404],
  ['POST /api/operator/livemigration/rooms',              '- - - o a -', { json: configuration }, 404],
  ['POST /api/operator/livemigration/preflight',          '- - - o a -', { json: { ...configuration, selectedRooms: [projectRoom] } }, 404],
  ['POST /api/operator/livemigration/start',              '- - - o a -', { json: { ...configuration, selectedRooms: [projectRoom], skippActiveSessions: false } }, 404],
  ['POST /api/operator/livemigration/stop',               '- - - o a -', { json: { id: 4711 } }, 404],
  ['POST /api/operator/livemigration/resetPriority',      '- - - o a -', { json: { id: 4711, all: false } }, 404],
  ['GET /api/operator/livemigration/:id/progress',        '- - - o a -', { params: { id: '4711' } }, 404],
  ['POST /api/operator/livemigration/state',              '- - - o a -', { json: { id: 4711 } }, 404],
  ['PUT /api/operator/livemigration/state',               '- - - o a -', { json: { states: [4711], liveMigrationDataID: 4711 } }, 404],
  ['POST /api/operator/livemigration/delete/failed',      '- - - o a -', { json: { projectRoomNames: [projectRoom], liveMigrationDataID: 4711 } }, 404],
  ['GET /api/operator/livemigration/logs',                '- - - o a -', { query: { stateId: '4711' } }, 404],
  ['GET /api/operator/livemigration/export',              '- - - o a -', { query: { id: '4711' } }, 404],
  ['POST /api/operator/livemigration/export/ticket',      '- - - o a -', { json: { id: 4711 } }, 404],
  ['GET /api/operator/livemigration/export/download/:ticket', 'n s d o a 2', { params: noSuchTicket }, 404],
  ['GET /api/operator/monitoring',                        '- - - o a -', {}, 200],
  // Sales only for creations and imports, which depends on the operation.
  ['GET /api/operator/monitoringLogs',                    '- - d o a -', { query: { processId: noSuchUpload } }, 404],
  ['POST /api/operator/monitoring/:id/cancel',            '- - d o a -', {}, 404],
  ['POST /api/operator/monitoring/:id/retry',             '- - d o a -', {}, 404],
  ['GET /api/operator/overview/attention',                '- s d o a -', {}, 200],
  ['GET /api/operator/overview/today',                    '- s d o a -', {}, 200],
  ['GET /api/operator/overview/capacity',                 '- s d o a -', {}, 200],
  ['GET /api/operator/doctor/findings',                   '- - - o a -', {}, 200],
  ['POST /api/operator/doctor/run',                       '- - - o a -', {}, [202, 409]],
  ['POST /api/operator/doctor/findings/:id/repair',       '- - - o a -', { json: { repair: 'send-again', preview: true } }, 404],

  // Settings and public calls
  ['GET /api/operator/configuration',                     '- - - o a -', {}, 200],
  ['POST /api/operator/configuration',                    '- - - o a -', { json: { youtubeIdentifier: '' } }, 200],
  ['GET /api/maintenanceMode',                            'n s d o a 2', {}, 200],
  ['POST /api/operator/maintenanceMode',                  '- - - o a -', { json: { maintenanceMode: false, maintenanceMessage: 'x' } }, 200],
  ['GET /api/operator/notification',                      '- - - o a -', {}, 200],
  ['POST /api/operator/notification',                     '- - - o a -', { json: notification }, 200],
  ['PUT /api/operator/notification',                      '- - - o a -', { json: { notificationId: 4711, ...notification } }, 404],
  ['DELETE /api/operator/notification/:id',               '- - - o a -', { params: { id: '4711' } }, 404],
  // A role that may take an action for one room may take it for many; every role may look.
  ['POST /api/operator/bulk/preflight',                   '- - d o a -', { json: bulk }, 200],
  ['POST /api/operator/bulk',                             '- - d o a -', { json: { ...bulk, expectedTotal: 1 } }, 409],
  ['GET /api/operator/bulk',                              '- s d o a -', {}, 200],
  ['GET /api/operator/bulk/:id',                          '- s d o a -', {}, 404],
  ['GET /api/operator/bulk/:id/items',                    '- s d o a -', {}, 404],
  ['POST /api/operator/bulk/items/ticket',                '- s d o a -', { json: { id: unknownId } }, 404],
  ['GET /api/operator/bulk/items/download/:ticket',       'n s d o a 2', { params: noSuchTicket }, 404],
  ['POST /api/operator/bulk/:id/cancel',                  '- - d o a -', {}, 404],
  ['POST /api/operator/bulk/:id/retry',                   '- - d o a -', {}, 404],

  // Each operator has views of the list that everybody sees.
  ['GET /api/operator/backupPolicies',                    '- - - o a -', {}, 200],
  ['POST /api/operator/backupPolicies',                   '- - - o a -', { json: backupPolicy }, [200, 409]],
  ['POST /api/operator/backupPolicies/preview',           '- - - o a -', { json: backupPolicy }, 200],
  ['PUT /api/operator/backupPolicies/:id',                '- - - o a -', { json: backupPolicy }, 404],
  ['DELETE /api/operator/backupPolicies/:id',             '- - - o a -', {}, 404],
  ['GET /api/operator/views',                             '- s d o a -', {}, 200],
  ['POST /api/operator/views',                            '- s d o a -', { json: view }, 200],
  ['PUT /api/operator/views/:id',                         '- s d o a -', { json: view }, 404],
  ['DELETE /api/operator/views/:id',                      '- s d o a -', {}, 404],
  // Customers are the companies of the rooms that everybody sees; spellings are merged by operators and administrators.
  ['GET /api/operator/customers',                         '- s d o a -', {}, 200],
  ['GET /api/operator/customers/:key',                    '- s d o a -', { params: { key: 'no such company' } }, 404],
  ['POST /api/operator/customers/aliases',                '- - - o a -', { json: { name: 'Example Ltd', isNamed: 'Example' } }, 404],
  // All write notes, and change their own; labels are for operators and administrators.
  ['GET /api/operator/room/notes',                        '- s d o a -', { query: { projectRoom: 'nosuchroom' } }, 404],
  ['POST /api/operator/room/notes',                       '- s d o a -', { json: { projectRoom: 'nosuchroom', text: 'Call first.' } }, 404],
  ['PUT /api/operator/room/notes/:id',                    '- s d o a -', { json: { pinned: true } }, 404],
  ['DELETE /api/operator/room/notes/:id',                 '- s d o a -', {}, 404],
  ['GET /api/operator/labels',                            '- s d o a -', {}, 200],
  ['PUT /api/operator/room/labels',                       '- - - o a -', { json: { projectRoom: 'nosuchroom', labels: ['VIP'] } }, 404],
  // Other programs: every operator has tokens of their own. Webhooks are told about every room, so they are for administrators.
  ['GET /api/operator/caller',                            '- s d o a -', {}, 200],
  ['GET /api/operator/tokens',                            '- s d o a -', {}, 200],
  ['POST /api/operator/tokens',                           '- s d o a -', { json: token }, [200, 409]],
  ['DELETE /api/operator/tokens/:id',                     '- s d o a -', {}, 404],
  ['GET /api/operator/webhooks',                          '- - - o a -', {}, 200],
  ['POST /api/operator/webhooks',                         '- - - o a -', { json: webhook }, [200, 409]],
  ['PUT /api/operator/webhooks/:id',                      '- - - o a -', { json: webhook }, 404],
  ['DELETE /api/operator/webhooks/:id',                   '- - - o a -', {}, 404],
  ['POST /api/operator/webhooks/:id/secret',              '- - - o a -', {}, 404],
  ['POST /api/operator/webhooks/:id/test',                '- - - o a -', {}, 404],
  ['GET /api/operator/webhooks/:id/deliveries',           '- - - o a -', {}, 404],
  ['POST /api/operator/webhooks/:id/deliveries/:deliveryId/resend', '- - - o a -', {}, 404],
  ['GET /api/operator/audit',                             '- - - o a -', {}, 200],
  ['GET /api/operator/audit/export',                      '- - - o a -', {}, 200],
  ['POST /api/operator/audit/export/ticket',              '- - - o a -', { json: { query: {} } }, 200],
  ['GET /api/operator/audit/export/download/:ticket',     'n s d o a 2', { params: noSuchTicket }, 404],
  ['GET /api/customer/languages',                         'n s d o a 2', {}, 200],
  ['GET /api/customer/notifications',                     'n s d o a 2', {}, 200],
  ['GET /api/customer/configuration',                     'n s d o a 2', {}, 200],
  ['GET /api/customer/component',                         'n s d o a 2', {}, 200],
  ['POST /api/customer/room',                             'n s d o a 2', { json: { name: projectRoom } }, 404],
  ['POST /api/customer/forgotRoomName',                   'n s d o a 2', { json: { email: 'nobody@example.com' } }, 204],
]

/**
 * What an API token may not do, whatever its role: sign in to the console and what belongs to that, change passwords, and
 * make, see or end API tokens and make, change or remove operators. Written by hand, too.
 */
const onlySignedIn: readonly string[] = [
  'PUT /api/operator/session',
  'POST /api/operator/permissions',
  'POST /api/operator/sessions',
  'POST /api/operator/okta',
  'POST /api/operator/changeOperatorPassword',
  'POST /api/operator/operators',
  'PUT /api/operator/operators/:id',
  'POST /api/operator/operators/:id/confirm',
  'DELETE /api/operator/operators/:id',
  'GET /api/operator/tokens',
  'POST /api/operator/tokens',
  'DELETE /api/operator/tokens/:id',
]

export interface AccessRow {
  /** Method and path, for example `DELETE /api/operator/room/backups/:id`. */
  call: string
  method: string
  /** The path with its parameters filled in, and the query. */
  url: string
  json: object | null
  file: string | null
  isPublic: boolean
  roles: readonly EveryRole[]
  beforeSecondFactor: boolean
  /** Refused with an API token. */
  onlySignedIn: boolean
  /** The statuses that a permitted call may get. */
  answered: readonly number[]
}

export const accessTable: readonly AccessRow[] = rows.map(([call, who, { params, query, json, file }, answered]) => {
  const [method = '', path = ''] = call.split(' ')
  const marks = who.split(' ')
  const filled = path.replace(/:(\w+)/g, (_, name: string) => params?.[name] ?? '00000000-0000-4000-8000-000000000000')
  return {
    call,
    method,
    url: query === undefined ? filled : `${filled}?${new URLSearchParams(query)}`,
    json: json ?? null,
    file: file ?? null,
    isPublic: marks[0] === 'n',
    roles: everyRole.filter((_, index) => marks[index + 1] !== '-'),
    beforeSecondFactor: marks[5] === '2',
    onlySignedIn: onlySignedIn.includes(call),
    answered: [answered].flat(),
  }
})
