import { VisuallyHidden } from '@mantine/core'
import type { AttentionFact } from '@roomkeeper/contract'
import { isAdministrator } from '@roomkeeper/rules'
import { IconAlertCircle, IconChevronUp } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { FactLink, FactSince, keyOfFact, textOfFact } from './facts.tsx'
import classes from './Overview.module.css'

const foldedKey = 'roomkeeper.health-folded'

interface HealthStripProps {
  /** At least one, worst first. */
  problems: readonly AttentionFact[]
  /** When they were read. */
  at: number
}

/** What does not work now, on one line; folded, only a mark. */
export function HealthStrip({ problems, at }: HealthStripProps) {
  const { t } = useTranslation('overview')
  const [isFolded, setIsFolded] = useState(() => sessionStorage.getItem(foldedKey) !== null)
  // What waits for a region that is down is told with the region.
  const shown = problems.filter((each) => each.kind !== 'operations-waiting' || !problems.some(isDownFor(each)))
  const fold = () => {
    if (isFolded) sessionStorage.removeItem(foldedKey)
    else sessionStorage.setItem(foldedKey, '1')
    setIsFolded(!isFolded)
  }
  return (
    <section className={classes.strip} data-folded={isFolded || undefined} aria-label={t('strip.title')}>
      {!isFolded && <Line shown={shown} problems={problems} at={at} />}
      <button
        type="button"
        aria-expanded={!isFolded}
        aria-label={isFolded ? t('strip.unfold', { count: shown.length }) : t('strip.fold')}
        title={isFolded ? t('strip.unfold', { count: shown.length }) : t('strip.fold')}
        onClick={fold}
      >
        {isFolded ? <IconAlertCircle size={18} aria-hidden /> : <IconChevronUp size={18} aria-hidden />}
      </button>
      <Announcement problems={shown} />
    </section>
  )
}

/** The worst one, and how many others there are. */
function Line({ shown, problems, at }: HealthStripProps & { shown: readonly AttentionFact[] }) {
  const { t } = useTranslation('overview')
  const { role } = useOperator()
  const [worst, ...others] = shown
  if (worst === undefined) return null
  const isRegion = worst.kind === 'region-down'
  const waiting = problems.find((each) => each.kind === 'operations-waiting' && isDownFor(each)(worst))
  return (
    <div className={classes.worst}>
      <IconAlertCircle size={18} aria-hidden />
      <FactLink link={worst.link}>{textOfFact(worst).replace(/\.$/, '')}</FactLink>
      <FactSince fact={worst} at={at} />
      {isRegion && <span>{t('strip.rooms', { count: worst.count ?? 0 })}</span>}
      {waiting !== undefined && (
        <FactLink link={waiting.link}>{t('strip.waiting', { count: waiting.count ?? 0 })}</FactLink>
      )}
      {isRegion && isAdministrator(role) && <Link to="/project/regions">{t('strip.region')}</Link>}
      {others.length > 0 && <Link to="/project/overview">{t('strip.more', { count: others.length })}</Link>}
    </div>
  )
}

/** @returns whether a fact says that the region for which operations wait is down */
function isDownFor({ params }: AttentionFact): (fact: AttentionFact) => boolean {
  return (fact) => fact.kind === 'region-down' && fact.params.regionId === params.regionId
}

/** Says each problem once to screen readers. The strip itself is no message: it changes with every minute. */
function Announcement({ problems }: Pick<HealthStripProps, 'problems'>) {
  const [said, say] = useState('')
  const known = useRef<readonly string[]>([])
  // After the first render, because only changes are read out.
  useEffect(() => {
    const isNew = problems.filter((each) => !known.current.includes(keyOfFact(each)))
    known.current = problems.map(keyOfFact)
    if (isNew.length > 0) say(isNew.map(textOfFact).join(' '))
  })
  return <VisuallyHidden role="status">{said}</VisuallyHidden>
}
