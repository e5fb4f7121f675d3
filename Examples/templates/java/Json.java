// JSON for the adapter. It needs no library, and distinguishes 1.0 from 1. Replace nothing here.
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, texts, booleans, null, and numbers as Long or BigDecimal, so that 1.0 differs from 1. */
public final class Json {
  private final String text;
  private int at;

  private Json(String text) { this.text = text; }

  /** A map from alternating keys and values. */
  public static Map<String, Object> map(Object... members) {
    var map = new LinkedHashMap<String, Object>();
    for (int i = 0; i < members.length; i += 2) map.put((String) members[i], members[i + 1]);
    return map;
  }

  @SuppressWarnings("unchecked")
  public static Map<String, Object> object(Object value) { return (Map<String, Object>) value; }

  public static Object parse(String text) {
    var json = new Json(text);
    var value = json.value();
    json.space();
    if (json.at < text.length()) throw json.error("nothing more");
    return value;
  }

  private IllegalArgumentException error(String expected) {
    return new IllegalArgumentException("JSON: expected " + expected + " at character " + at);
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at += 1;
  }

  private boolean has(String token) {
    space();
    if (!text.startsWith(token, at)) return false;
    at += token.length();
    return true;
  }

  private void need(String token) {
    if (!has(token)) throw error(token);
  }

  private Object value() {
    if (has("{")) return members();
    if (has("[")) return elements();
    if (has("\"")) return string();
    if (has("true")) return true;
    if (has("false")) return false;
    if (has("null")) return null;
    return number();
  }

  private Map<String, Object> members() {
    var map = new LinkedHashMap<String, Object>();
    if (has("}")) return map;
    do {
      need("\"");
      var key = string();
      need(":");
      map.put(key, value());
    } while (has(","));
    need("}");
    return map;
  }

  private List<Object> elements() {
    var list = new ArrayList<Object>();
    if (has("]")) return list;
    do list.add(value()); while (has(","));
    need("]");
    return list;
  }

  private String string() {
    var result = new StringBuilder();
    while (at < text.length() && text.charAt(at) != '"') {
      char c = text.charAt(at++);
      if (c != '\\') {
        result.append(c);
        continue;
      }
      char escaped = text.charAt(at++);
      switch (escaped) {
        case 'n' -> result.append('\n');
        case 't' -> result.append('\t');
        case 'r' -> result.append('\r');
        case 'b' -> result.append('\b');
        case 'f' -> result.append('\f');
        case 'u' -> {
          result.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
          at += 4;
        }
        default -> result.append(escaped);
      }
    }
    need("\"");
    return result.toString();
  }

  private Object number() {
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at += 1;
    if (start == at) throw error("a value");
    var digits = text.substring(start, at);
    if (digits.matches("-?[0-9]{1,18}")) return Long.valueOf(digits);
    return new java.math.BigDecimal(digits);
  }

  public static String text(Object value) {
    var out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof Map<?, ?> map) {
      var separator = "{";
      for (var member : map.entrySet()) {
        out.append(separator);
        quote((String) member.getKey(), out);
        out.append(':');
        write(member.getValue(), out);
        separator = ",";
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof Iterable<?> list) {
      out.append('[');
      var separator = "";
      for (var element : list) {
        out.append(separator);
        write(element, out);
        separator = ",";
      }
      out.append(']');
    } else if (value == null || value instanceof Boolean || value instanceof Number) {
      out.append(value);
    } else {
      quote(value.toString(), out);
    }
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < ' ' || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    out.append('"');
  }
}
