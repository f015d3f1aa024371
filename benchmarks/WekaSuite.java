import java.io.File;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Utils;

/**
 * Clocks cross-validations of J48 in one JVM: WARM SUITE OPTIONS... A line of the file SUITE is a data set's file, its
 * class index and its folds, with ";" between them; a fold is the numbers of its test rows. Each of OPTIONS is fitted
 * to every training part and predicts the test part.
 */
public class WekaSuite {
  public static void main(String[] arguments) throws Exception {
    List<Instances[]> parts = new ArrayList<>();
    for (String line : Files.readAllLines(Paths.get(arguments[1]))) {
      String[] fields = line.split(";");
      Instances data = WekaClock.load(new File(fields[0]));
      data.setClassIndex(Integer.parseInt(fields[1]));
      for (int i = 2; i < fields.length; i++) parts.add(split(data, fields[i].trim().split(" ")));
    }
    WekaClock.serve(() -> {
      for (Instances[] part : parts)
        for (int i = 2; i < arguments.length; i++) {
          String[] options = Utils.splitOptions(arguments[i]);
          var model = WekaClock.fit("weka.classifiers.trees.J48", options, part[0]);
          for (Instance row : part[1]) model.distributionForInstance(row);
        }
    }, Double.parseDouble(arguments[0]));
  }

  static Instances[] split(Instances data, String[] rows) {
    boolean[] tests = new boolean[data.numInstances()];
    for (String row : rows) tests[Integer.parseInt(row)] = true;
    Instances[] parts = {new Instances(data, 0), new Instances(data, 0)};
    for (int i = 0; i < tests.length; i++) parts[tests[i] ? 1 : 0].add(data.instance(i));
    return parts;
  }
}
