import { type AttentionFact, attentionReason } from '@roomkeeper/contract'
import { defaultParseSearch, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfReason } from '#locales/error-texts.ts'
import { formatDuration, formatRecent } from '#ui/format.ts'

/** The same while its counts change. */
export function keyOfFact({ kind, params }: AttentionFact): string {
  return `${kind} ${params.regionId ?? params.process ?? ''}`
}

/** The texts of errors must be loaded. */
export function textOfFact(fact: AttentionFact): string {
  return textOfReason(attentionReason(fact)) ?? fact.text
}

export function FactLink({ link, children }: { link: string | null; children: ReactNode }) {
  if (link === null) return <span>{children}</span>
  const [path, search = ''] = link.split('?')
  return (
    <Link to={path as '/project/administration'} search={defaultParseSearch(search)}>
      {children}
    </Link>
  )
}

/** @param at when the fact was read */
export function FactSince({ fact: { since }, at }: { fact: AttentionFact; at: number }) {
  const { t, i18n } = useTranslation('overview')
  const age = formatDuration(at - Date.parse(since), i18n.language)
  return (
    <time className="rk-note" dateTime={since}>
      {t('attention.since', { since: formatRecent(since), age })}
    </time>
  )
}
