/** Why project rooms are in error, in the few groups that people act upon. */
import type { RefusalCode } from './problem.ts'
import type { ReasonCode } from './reason-texts.ts'

/** In their order: a room whose reasons belong to several has the first of them. Reasons that belong to none are `other`. */
export const failureCauses = ['lost', 'no-space', 'region-full', 'region-unreachable', 'refused', 'other'] as const
export type FailureCause = (typeof failureCauses)[number]

/** The codes of the reasons, and of refusals that a reason repeats, that belong to each cause. */
export const codesOfCauses: Readonly<Record<Exclude<FailureCause, 'other'>, readonly (ReasonCode | RefusalCode)[]>> = {
  lost: [
    'found-other-room',
    'found-room-elsewhere',
    'found-room-missing',
    'other-room-there',
    'room-lost',
    'room-older',
    'room-unknown-to-region',
  ],
  'no-space': ['move-disk-full', 'move-disk-full-later', 'region-storage-full', 'storage-full'],
  'region-full': ['move-capacity', 'region-full'],
  'region-unreachable': [
    'another-program-answers',
    'another-program-as-region',
    'another-server',
    'another-server-as-region',
    'file-of-region-too-slow',
    'file-too-slow',
    'named-region-unreachable',
    'region-unreachable',
  ],
  refused: [
    'file-not-usable',
    'name-belongs-to-others',
    'name-of-former-copy',
    'region-refused-login',
    'told-by-named-region',
    'told-by-region',
  ],
}
