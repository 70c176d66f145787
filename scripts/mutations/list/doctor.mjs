/** The doctor: what it finds, what it closes, and what its repairs must recheck first. */
const tests = 'apps/server/test/doctor'

export const doctor = [
  {
    id: 'doctor/repair-without-a-look',
    breaks: 'A repair changes what is in order by now.',
    file: 'apps/server/src/doctor/operations/repair-finding.ts',
    find: "  if (verdict !== 'still so') throw new StepFailed(whyNotNow(verdict))\n",
    replace: "  if (typeof verdict !== 'string') throw new StepFailed(whyNotNow(verdict))\n",
    tests: [`${tests}/looks-of-a-repair.test.ts`],
  },
  {
    id: 'doctor/repair-without-a-second-look',
    breaks: 'A finding is closed although its repair did not help.',
    file: 'apps/server/src/doctor/operations/repair-finding.ts',
    find: "  if (verdict === 'still so') throw new StepFailed(because('still-so'))\n  if (verdict !== 'gone') return",
    replace: "  if (typeof verdict !== 'string') return",
    tests: [`${tests}/looks-of-a-repair.test.ts`],
  },
  {
    id: 'doctor/different-copy-removed',
    breaks: 'A second copy that holds something of its own is removed.',
    file: 'apps/server/src/doctor/repairs/remove-copy.ts',
    find: 'if (second !== undefined && second.digest === inUse?.digest) return null',
    replace: 'if (second !== undefined && inUse !== undefined) return null',
    tests: [`${tests}/findings.test.ts: and holds something else in the second one, is kept in both`],
  },
  {
    id: 'doctor/adopted-from-one-of-several',
    breaks: 'A room that several regions have is adopted from one of them, which may be the wrong one.',
    file: 'apps/server/src/doctor/repairs/adopt.ts',
    find: '  if (holders.length > 0) throw impossible(',
    replace: '  if (holders.length > 1) throw impossible(',
    tests: [`${tests}/looks-of-a-repair.test.ts: a room is not adopted from one region`],
  },
  {
    id: 'doctor/lock-in-use-found',
    breaks: 'The lock of an operation that has just ended is offered to be taken away.',
    file: 'apps/server/src/doctor/walk/settle-suspect.ts',
    find: 'and (ended_at is null or ended_at > now() - make_interval(secs => $2))',
    replace: 'and ended_at is null and $2::int > 0',
    tests: [`${tests}/looks-of-a-repair.test.ts: the lock of an operation that has just ended`],
  },
  {
    id: 'doctor/silence-taken-for-health',
    breaks: 'What was found on a region counts as gone when the region does not answer.',
    file: 'apps/server/src/doctor/record-findings.ts',
    find: "where section in ('rooms', 'routes') and needed <> all($3::int[]))",
    replace: "where section in ('routes') and needed <> all($3::int[]))",
    tests: [`${tests}/runs.test.ts: is told as such; of its rooms nothing is said, and what was found there stays`],
  },
  {
    id: 'doctor/altered-backup-of-the-same-size',
    breaks: 'A backup of which a byte was changed counts as whole.',
    file: 'apps/server/src/doctor/checks/check-backups.ts',
    find: "return digest === backup.sha256 ? 'whole' : 'altered'",
    replace: "return digest.length === backup.sha256.length ? 'whole' : 'altered'",
    tests: [`${tests}/findings.test.ts: whose file has the same size and another content is found`],
  },
]
