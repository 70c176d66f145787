import { createElement, type ReactNode, useMemo } from 'react'
import classes from './RichText.module.css'

/** The elements that the server lets through. Of any other element only the text is shown. */
const tags = new Set([
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...['strong', 'em', 'u', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li'],
])
const emptyTags = new Set(['br', 'hr'])
const silentTags = new Set(['script', 'style', 'template', 'noscript'])

/** Renders HTML element by element, so that nothing in it can run. */
export function RichText({ html }: { html: string }) {
  const content = useMemo(() => contentOf(new DOMParser().parseFromString(html, 'text/html').body), [html])
  return <div className={`rk-text ${classes.root}`}>{content}</div>
}

/** The text of HTML in one line. */
export function plainTextOf(html: string): string {
  const { body } = new DOMParser().parseFromString(
    html.replace(/<\/(p|li|h\d|pre|blockquote)>|<br[^>]*>/g, '$& '),
    'text/html',
  )
  return (body.textContent ?? '').replace(/\s+/g, ' ').trim()
}

function contentOf(parent: Node): ReactNode[] {
  return [...parent.childNodes].map((node, index) => nodeOf(node, index))
}

function nodeOf(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof HTMLElement)) return null
  const tag = node.localName
  if (silentTags.has(tag)) return null
  if (tag === 'a') return linkOf(node, key)
  const content = emptyTags.has(tag) ? [] : contentOf(node)
  if (!tags.has(tag)) return content
  return createElement(tag, { key, ...(tag === 'ol' ? startOf(node) : {}) }, ...content)
}

function startOf(list: HTMLElement): { start?: number } {
  const start = Number(list.getAttribute('start') ?? Number.NaN)
  return Number.isInteger(start) ? { start } : {}
}

function linkOf(link: HTMLElement, key: number): ReactNode {
  const href = link.getAttribute('href')?.trim() ?? ''
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return contentOf(link)
  return (
    <a key={key} href={href} target="_blank" rel="noopener noreferrer nofollow">
      {contentOf(link)}
    </a>
  )
}
