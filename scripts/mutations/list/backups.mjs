/** Backups: whole when they are made, there when they are needed, gone when they should be. */
const kept = 'apps/server/test/kept-backups.test.ts'
const records = 'apps/server/src/backups/record-backup.test.ts'

export const backups = [
  {
    id: 'backups/fetched-without-its-digest',
    breaks: 'What was damaged on its way from the region is kept as a good backup.',
    file: 'packages/region-protocol/src/client/file-transfer.ts',
    find: "    if (hash !== null && hash.digest('hex') !== file.sha256) throw wrongContent\n",
    replace: '',
    tests: ['apps/region/test/damaged-file.test.ts'],
  },
  {
    id: 'backups/not-read-back',
    breaks: 'A backup counts as good although the store holds something else than the region made.',
    file: 'apps/server/src/rooms/steps/keep-backup.ts',
    find: 'if (stored !== made.sha256) throw',
    replace: 'if (stored.length !== made.sha256.length) throw',
    tests: [kept],
  },
  {
    id: 'backups/only-good-one-removed',
    breaks: 'Housekeeping removes the last good backup of a database because of a newer one that is known to be bad.',
    file: 'apps/server/src/backups/remove-backup.ts',
    find: 'and b.proved_at is not null and not ${isKnownBad}',
    replace: 'and b.proved_at is not null',
    tests: [records, kept],
  },
  {
    id: 'backups/replaced-by-one-that-nobody-read',
    breaks: 'Housekeeping removes a backup because of a newer one that was never read back.',
    file: 'apps/server/src/backups/remove-backup.ts',
    find: 'and b.proved_at is not null and not ${isKnownBad}',
    replace: 'and not ${isKnownBad}',
    tests: [records, kept],
  },
  {
    id: 'backups/replaced-by-one-whose-file-is-gone',
    breaks: 'Housekeeping removes a backup because of a newer one whose file is gone.',
    file: 'apps/server/src/backups/remove-backup.ts',
    find: '    if (newerKey !== null && (await stores.files.stat(newerKey))?.size !== newerSize) return\n',
    replace: '    void [newerKey, newerSize]\n',
    tests: [records],
  },
  {
    id: 'backups/bad-one-put-back',
    breaks: 'A database is put back from its newest backup although the doctor has found that one altered.',
    file: 'apps/server/src/backups/record-backup.ts',
    find: '      order by ${isKnownBad}, created_at desc limit 1`,\n    [roomId, databaseName],',
    replace: '      order by created_at desc limit 1`,\n    [roomId, databaseName],',
    tests: [records, kept],
  },
  {
    id: 'backups/gone-with-the-room-too-soon',
    breaks: 'The backups of a deleted room are gone after 3 days instead of 30.',
    file: 'apps/server/src/backups/record-backup.ts',
    find: "expires_at = now() + interval '30 days'",
    replace: "expires_at = now() + interval '3 days'",
    tests: [records],
  },
  {
    id: 'backups/of-another-room-unasked',
    breaks: "Another room's backup replaces a room's content without a question.",
    file: 'apps/server/src/rooms/lifecycle/backup-routes.ts',
    find: 'if (other !== row.name && !confirmOtherRoom)',
    replace: 'if (other !== row.name && confirmOtherRoom === undefined)',
    tests: ["apps/server/test/life/restore-and-import.test.ts: of another room's backup wants to be confirmed"],
  },
  {
    id: 'backups/resumed-with-another-file',
    breaks: 'A download that goes on after the file was replaced is put together from two files.',
    file: 'apps/server/src/platform/http/byte-range.ts',
    find: "  if ((header('if-range') ?? etag) !== etag) return null\n",
    replace: '',
    tests: ['apps/server/test/backup-files.test.ts: goes on where it was broken off, unless the file is another one'],
  },
]
