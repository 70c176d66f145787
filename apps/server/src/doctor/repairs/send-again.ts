/** Sends a region again what the console has recorded: the state of a room, its settings, or its redirect. */
import { because } from '@roomkeeper/contract'
import { StepFailed } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import { settingsOf } from '#rooms/index.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import type { StoredFinding } from '../stored-finding.ts'
import { differingSettings, expectedState } from '../walk/judge-room.ts'
import { type Changes, impossible, type RepairKind, regionOf, roomOf } from './repair-kind.ts'

export const sendAgain: RepairKind = {
  preview: (parts, finding) =>
    finding.kind === 'redirect-misleads' ? changesOfRedirect(parts, finding) : changesOfRoom(parts, finding),
  async run(call, parts, finding) {
    const { client, id: regionId, name: regionName } = await regionOf(parts, finding.regionId)
    const room = await roomOf(parts, finding)
    if (finding.kind === 'redirect-misleads') {
      const home = await homeOf(parts, finding)
      await client.putRoute(room.name, home.url, call.mark)
      await call.transaction((tx) =>
        queryRows(
          tx,
          `insert into redirects (room_id, room_name, region_id, target_region_id) values ($1, $2, $3, $4)
           on conflict (room_id, region_id) do update set target_region_id = excluded.target_region_id`,
          [room.id, room.name, regionId, home.id],
        ),
      )
      return call.log([because('log-redirect-set', { region: regionName, url: home.url })])
    }
    if (room.regionId !== regionId) throw new StepFailed(because('room-in-another-region'))
    if (finding.kind === 'settings-differ')
      await client.changeRoom(room.name, { ...settingsOf(room), roomId: room.id }, call.mark)
    else if (expectedState(room) === 'suspended') await client.suspendRoom(room.name, room.id, call.mark)
    else await client.resumeRoom(room.name, room.id, call.mark)
    await call.log([because('log-sent-to', { region: regionName })])
  },
}

async function changesOfRoom(parts: DoctorParts, finding: StoredFinding): Promise<Changes> {
  const room = await roomOf(parts, finding)
  const { client } = await regionOf(parts, finding.regionId)
  const info = await client.room(room.name)
  if (info === null || info.roomId !== room.id) throw impossible('region-has-not-room')
  if (finding.kind === 'state-differs') return [{ field: 'state', from: info.state, to: expectedState({ ...room }) }]
  const ours = settingsOf(room)
  return differingSettings({ ...room, busy: false }, info).map((field) => ({
    field,
    from: info.settings?.[field] ?? (field === 'expirationDate' ? info.expirationDate : null),
    to: ours[field],
  }))
}

async function changesOfRedirect(parts: DoctorParts, finding: StoredFinding): Promise<Changes> {
  return [{ field: 'target', from: finding.facts.target ?? null, to: (await homeOf(parts, finding)).url }]
}

/** The room's region. @throws Refusal if that is the redirecting region, or the console never set up the redirect */
async function homeOf(parts: DoctorParts, finding: StoredFinding) {
  const home = await regionOf(parts, (await roomOf(parts, finding)).regionId)
  if (home.id === finding.regionId) throw impossible('room-in-this-region')
  const made = await queryRows(
    parts.db,
    'select from redirects where room_name = $1 and region_id = $2 and room_id = (select id from rooms where name = $1)',
    [finding.roomName, finding.regionId],
  )
  if (made.length === 0) throw impossible('redirection-unknown')
  return home
}
