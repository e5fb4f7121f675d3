/// Twenty secrets, with everything in them that some encoding spells in another way.
package enum Canary {
  package static let all = [
    "hunter2-hunter2", "s3cr3t key", "a\"b\\c/d+e=f", "pässwörd-é", "k%2Fey%25", "Zm9vYmFy+/==", "tab\tand\nline",
    "<xml&amp;>", "🔑-3m0j1x-🗝", "CAPITALS-and-small", "with:colon@host", "üüüü", "&#38;ref;", "\\u0041escape",
    "a+b c+d",
    "0123456789abcdef", "{\"k\":\"v\"}", "semi;colon&amp", "$(shell) 'quotes'", "ends-with-percent%",
  ]
}
