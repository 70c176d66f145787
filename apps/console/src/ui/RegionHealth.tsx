import type { Region } from '@roomkeeper/contract'
import { IconCircleCheck, IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatRecent } from './format.ts'
import { Pill } from './Pill.tsx'

type Health = Pick<Region, 'health'> & Partial<Pick<Region, 'healthSince'>>

/** @returns a function that says whether a region answers, and since when it does not */
export function useHealthText(): (region: Health) => string {
  const { t } = useTranslation()
  return ({ health, healthSince }) => {
    const state = t(`health.${health ?? 'unknown'}`)
    if (health === 'answers' || healthSince == null) return state
    return t('health.since', { state, since: formatRecent(healthSince) })
  }
}

interface RegionHealthProps {
  region: Health
  /** The region's name, unless it stands beside. */
  name?: string
}

/** What the newest call to a region has shown. */
export function RegionHealth({ region, name }: RegionHealthProps) {
  const textOf = useHealthText()
  if (region.health === null) return textOf(region)
  const isGood = region.health === 'answers'
  return (
    <Pill tone={isGood ? 'good' : 'bad'} icon={isGood ? IconCircleCheck : IconPlugConnectedX} isLong>
      {name !== undefined && `${name}: `}
      {textOf(region)}
    </Pill>
  )
}
