import java.io.*;
import java.nio.charset.StandardCharsets;
import weka.core.*;
import weka.core.converters.ArffLoader.ArffReader;

/** What Weka reads: for each file named on standard input one JSON object a line; an error as {"weka_error": ...}. */
public class Dump {
  static String text(String s) {
    StringBuilder b = new StringBuilder("\"");
    for (char c : s.toCharArray())
      if (c < 32 || c > 126 || c == '"' || c == '\\') b.append(String.format("\\u%04x", (int) c));
      else b.append(c);
    return b.append('"').toString();
  }

  static String number(double v) {
    return v == Double.POSITIVE_INFINITY ? "1e999" : v == Double.NEGATIVE_INFINITY ? "-1e999" : Double.toString(v);
  }

  static String dump(String path) {
    StringBuilder b = new StringBuilder();
    try (Reader reader = new BufferedReader(new InputStreamReader(new FileInputStream(path), StandardCharsets.UTF_8))) {
      Instances data = new ArffReader(reader).getData();
      b.append("{\"relation\": ").append(text(data.relationName())).append(", \"attributes\": [");
      for (int j = 0; j < data.numAttributes(); j++) {
        Attribute a = data.attribute(j);
        b.append(j > 0 ? ", " : "").append("{\"name\": ").append(text(a.name())).append(", \"type\": \"");
        b.append(Attribute.typeToString(a)).append('"');
        if (a.isNominal()) {
          b.append(", \"values\": [");
          for (int k = 0; k < a.numValues(); k++) b.append(k > 0 ? ", " : "").append(text(a.value(k)));
          b.append(']');
        }
        if (a.isDate()) b.append(", \"format\": ").append(text(a.getDateFormat()));
        b.append('}');
      }
      b.append("], \"rows\": [");
      for (int i = 0; i < data.numInstances(); i++) {
        b.append(i > 0 ? ", [" : "[");
        for (int j = 0; j < data.numAttributes(); j++) {
          Instance row = data.instance(i);
          b.append(j > 0 ? ", " : "");
          if (row.isMissing(j)) b.append("null");
          else if (data.attribute(j).isNumeric()) b.append(number(row.value(j)));
          else b.append(text(row.stringValue(j)));
        }
        b.append(']');
      }
      b.append("], \"weights\": [");
      for (int i = 0; i < data.numInstances(); i++)
        b.append(i > 0 ? ", " : "").append(number(data.instance(i).weight()));
      return b.append("]}").toString();
    } catch (Throwable fault) {
      return "{\"weka_error\": " + text(String.valueOf(fault.getMessage())) + "}";
    }
  }

  public static void main(String[] arguments) throws IOException {
    java.util.TimeZone.setDefault(java.util.TimeZone.getTimeZone("UTC"));
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
    BufferedReader names = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String path; (path = names.readLine()) != null; ) out.println(dump(path));
  }
}
